import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify';
import { createInterface } from '../create-interface.ts';
import type { HostEntry, HostTable } from './host-table.ts';
import { randomInteger } from './random.ts';
import type { createRequestLog } from './request-log.ts';
import { answerOf, sendAnswer } from './serve-site.ts';

export interface FleetInterfaceOptions {
  hosts: HostTable;
  /** Null: requests are not logged. */
  log: ReturnType<typeof createRequestLog> | null;
  delayMs: number | readonly [least: number, most: number];
  /** Resets the connection that comes from this port. */
  reset: (remotePort: number) => void;
  serverFactory: FastifyServerFactory;
}

/** The interface of the reference server for many hosts at once; a request that its host answers otherwise never gets there. */
export function createFleetInterface({
  hosts,
  log,
  delayMs,
  reset,
  serverFactory,
}: FleetInterfaceOptions): FastifyInstance {
  const app = createInterface((request) => stateOf(hosts, request), serverFactory);
  const waiting = new Set<NodeJS.Timeout>();

  const answer = (host: HostEntry, request: FastifyRequest, reply: FastifyReply, next: () => void) => {
    const found = answerOf(host.site, request.url);
    if (found === undefined) next();
    else sendAnswer(found, request, reply, () => reset(request.raw.socket.remotePort ?? 0));
  };

  app.addHook('onRequest', (request, reply, next) => {
    const host = hosts.find(nameOf(request));
    if (host === undefined) {
      reply.code(421).send({ message: 'No host of this fleet has this name.' });
      return;
    }
    log?.add({
      domain: request.headers.host ?? '',
      method: request.method,
      path: request.url,
      userAgent: request.headers['user-agent'] ?? null,
      at: Date.now(),
    });
    const delay = typeof delayMs === 'number' ? delayMs : randomInteger(host.random, ...delayMs);
    if (delay === 0) {
      answer(host, request, reply, next);
      return;
    }
    const timer = setTimeout(() => {
      waiting.delete(timer);
      answer(host, request, reply, next);
    }, delay);
    waiting.add(timer);
  });
  app.addHook('onClose', async () => {
    for (const timer of waiting) clearTimeout(timer);
  });
  return app;
}

function nameOf(request: FastifyRequest): string {
  const domain = request.headers.host ?? '';
  const colon = domain.lastIndexOf(':');
  return (colon === -1 ? domain : domain.slice(0, colon)).toLowerCase();
}

/** Only requests that the hook let through come here, and those have a host with a state. */
function stateOf(hosts: HostTable, request: FastifyRequest) {
  const state = hosts.find(nameOf(request))?.site.state;
  if (state === undefined) throw new Error(`${nameOf(request)} is not a Loops server of this fleet.`);
  return state;
}
