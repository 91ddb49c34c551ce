import type { Server, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Resets the connection that a request came on, from under whatever runs on it (RFC 9293 section 3.5.2). */
export type Reset = (socket: Socket) => void;

/** Knows the TCP connections under TLS ones, which Node does not tell and which alone can be reset. */
export interface RawConnections {
  /** Looks at every connection that this server is given from now on. */
  watch(server: Server): void;
  reset: Reset;
}

export function createRawConnections(): RawConnections {
  const sockets = new Map<string, Socket>();
  return {
    watch(server) {
      server.on('connection', (socket: Socket) => {
        const peer = peerOf(socket);
        sockets.set(peer, socket);
        socket.on('close', () => sockets.delete(peer));
      });
    },
    reset(socket) {
      const raw = socket instanceof TLSSocket ? sockets.get(peerOf(socket)) : socket;
      if (raw === undefined) socket.destroy();
      else raw.resetAndDestroy();
    },
  };
}

function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
