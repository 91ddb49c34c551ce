import type { Server as HttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
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

/** The protocol that the first bytes of a connection show. `more`: too few bytes to decide. */
type Opening = { type: 'tls'; serverName: string | null } | { type: 'plain' } | { type: 'more' };

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;

/** Distinguishes TLS from plain HTTP and reads the server name of a ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3). */
export function readOpening(bytes: Buffer): Opening {
  if (bytes.length === 0) return { type: 'more' };
  if (bytes[0] !== handshakeRecord) return { type: 'plain' };
  // A record starts with five bytes: type, version and, in the last two, the length of what follows.
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) return { type: 'more' };
  try {
    return { type: 'tls', serverName: serverNameOf(bytes) };
  } catch {
    return { type: 'tls', serverName: null };
  }
}

/** @throws RangeError when a length in the message points beyond its end. */
function serverNameOf(bytes: Buffer): string | null {
  if (bytes[5] !== clientHello) return null;
  // Skips the record header, the message header, the version and the random bytes.
  let offset = 5 + 4 + 2 + 32;
  // Skips the session id, the cipher suites and the compression methods, each preceded by its length.
  offset += 1 + bytes.readUInt8(offset);
  offset += 2 + bytes.readUInt16BE(offset);
  offset += 1 + bytes.readUInt8(offset);
  const extensionsEnd = offset + 2 + bytes.readUInt16BE(offset);
  offset += 2;
  while (offset < extensionsEnd) {
    const extension = bytes.readUInt16BE(offset);
    const length = bytes.readUInt16BE(offset + 2);
    if (extension === serverNameExtension) {
      // The name follows the type and length of the extension, the length of the list, and the type and length of the name.
      const nameLength = bytes.readUInt16BE(offset + 7);
      return bytes.toString('latin1', offset + 9, offset + 9 + nameLength).toLowerCase();
    }
    offset += 4 + length;
  }
  return null;
}
