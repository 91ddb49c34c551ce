import type { Server as HttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { readOpening } from './client-hello.ts';
import type { ConnectionFault } from './kind.ts';

export interface ConnectionRouterOptions {
  /** The server that is given the connections which open with TLS and this name. */
  tlsFor: (serverName: string) => HttpServer;
  /** Is given all others. */
  plain: HttpServer;
  /** What goes wrong with connections for this name; undefined: nothing; null: nobody has this name. */
  faultOf: (serverName: string) => ConnectionFault | undefined | null;
}

export interface ConnectionRouter {
  listen(port: number, host: string): Promise<number>;
  close(): Promise<void>;
}

/** One listener for TLS and plain HTTP that reads the server name before any handshake, so that one name alone can fail. */
export function createConnectionRouter({ tlsFor, plain, faultOf }: ConnectionRouterOptions): ConnectionRouter {
  const sockets = new Set<Socket>();

  const hand = (socket: Socket, server: HttpServer, opening: Buffer) => {
    socket.pause();
    socket.unshift(opening);
    server.emit('connection', socket);
    if (server === plain) process.nextTick(() => socket.resume());
  };

  const route = (socket: Socket, opening: Buffer): boolean => {
    const found = readOpening(opening);
    if (found.type === 'more') return false;
    if (found.type === 'plain') {
      hand(socket, plain, opening);
      return true;
    }
    const name = found.serverName ?? '';
    const fault = found.serverName === null ? null : faultOf(name);
    if (fault === undefined) hand(socket, tlsFor(name), opening);
    else if (fault === 'not-tls') socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
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
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        listener.once('error', reject);
        listener.listen({ port, host, backlog: 4096 }, () => {
          listener.off('error', reject);
          const address = listener.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    close: async () => {
      if (!listener.listening) return;
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
