import type { Server as HttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { readOpening } from './client-hello.ts';
import type { ConnectionFault } from './kind.ts';

export interface ConnectionRouterOptions {
  /** The server for TLS connections with this server name. */
  tlsFor: (serverName: string) => HttpServer;
  /** The server for all other connections. */
  plain: HttpServer;
  /** The fault of connections with this server name; undefined: none; null: unknown name. */
  faultOf: (serverName: string) => ConnectionFault | undefined | null;
}

/** A listener for TLS and plain HTTP. It reads the server name before the handshake, so that faults can apply to one name. */
export function createConnectionRouter({ tlsFor, plain, faultOf }: ConnectionRouterOptions) {
  const sockets = new Set<Socket>();

  const handOver = (socket: Socket, server: HttpServer, opening: Buffer) => {
    socket.pause();
    socket.unshift(opening);
    server.emit('connection', socket);
    // A TLS server reads a paused socket, an HTTP server does not.
    if (server === plain) process.nextTick(() => socket.resume());
  };

  const route = (socket: Socket, opening: Buffer): boolean => {
    const protocol = readOpening(opening);
    if (protocol.type === 'more') return false;
    if (protocol.type === 'plain') {
      handOver(socket, plain, opening);
      return true;
    }
    const name = protocol.serverName ?? '';
    const fault = protocol.serverName === null ? null : faultOf(name);
    if (fault === undefined) handOver(socket, tlsFor(name), opening);
    else if (fault === 'not-tls') socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    // An unknown name (null) is reset too.
    else if (fault !== 'stall') socket.resetAndDestroy();
    return true;
  };

  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let opening: Buffer | undefined;
    const read = (chunk: Buffer) => {
      opening = opening === undefined ? chunk : Buffer.concat([opening, chunk]);
      if (route(socket, opening)) socket.off('data', read);
    };
    socket.on('data', read);
  });

  return {
    listen: (port: number, host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        listener.once('error', reject);
        listener.listen({ port, host, backlog: 4096 }, () => {
          listener.off('error', reject);
          const address = listener.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    close: async (): Promise<void> => {
      if (!listener.listening) return;
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
