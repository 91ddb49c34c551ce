import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { clientKeyOf } from './client-address.ts';

const MAX_CONNECTIONS = 2_000;
/** Far more than a browser or a crawler opens. */
const MAX_CONNECTIONS_PER_ADDRESS = 100;
/** Requests of one connection that are sent before the first of them is answered. */
const MAX_PIPELINED = 20;

/** Closes connections above the limits as soon as they open. */
export function limitConnections(server: Server, { perAddress }: { perAddress: boolean }): void {
  server.maxConnections = MAX_CONNECTIONS;
  if (!perAddress) return;
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const key = clientKeyOf(socket.remoteAddress ?? '');
    const count = (open.get(key) ?? 0) + 1;
    open.set(key, count);
    socket.once('close', () => {
      const remaining = (open.get(key) ?? 1) - 1;
      if (remaining === 0) open.delete(key);
      else open.set(key, remaining);
    });
    if (count > MAX_CONNECTIONS_PER_ADDRESS) socket.destroy();
  });
}

/** Closes a connection whose client sends too many requests without waiting for the answers. Must be the first hook, to be cheap. */
export function limitPipelining(server: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  server.addHook('onRequest', ({ raw: { socket } }, reply, next) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (count <= MAX_PIPELINED) return next();
    reply.code(429).hijack();
    socket.destroy();
  });
}
