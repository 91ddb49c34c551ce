import type { FastifyInstance, FastifyRequest, FastifyServerFactory } from 'fastify';
import { createInterface } from '../create-interface.ts';
import type { Reset } from '../faults/wire.ts';
import type { HostEntry, HostTable } from './host-table.ts';
import type { Answer, Site } from './kind.ts';
import type { createRequestLog } from './request-log.ts';
import { json } from './site.ts';

export interface FleetInterfaceOptions {
  hosts: HostTable;
  /** Null: requests are not logged. */
  log: ReturnType<typeof createRequestLog> | null;
  reset: Reset;
  serverFactory: FastifyServerFactory;
}

/** The interface of the reference server for many hosts at once; a request that its host answers otherwise never gets there. */
export function createFleetInterface({ hosts, log, reset, serverFactory }: FleetInterfaceOptions): FastifyInstance {
  const hostOf = (request: FastifyRequest): HostEntry => {
    const host = hosts.find(nameOf(request));
    if (host === undefined) throw new Error(`${nameOf(request)} is no host of this fleet.`);
    return host;
  };
  return createInterface(
    (request) => {
      const { state } = hostOf(request).site;
      if (state === undefined) throw new Error(`${nameOf(request)} is not a Loops server of this fleet.`);
      return state;
    },
    {
      serverFactory,
      reset,
      faultsOf: hostOf,
      // In front of all faults: who is asked for, and that it was asked.
      onRequest: (request, reply, next) => {
        if (hosts.find(nameOf(request)) === undefined) {
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
        next();
      },
      beforeEndpoints: (request, reply, next) => {
        const found = answerOf(hostOf(request).site, request.url);
        if (found === undefined) return next();
        reply.code(found.status).headers(found.headers).send(found.body);
      },
    },
  );
}

function nameOf(request: FastifyRequest): string {
  const domain = request.headers.host ?? '';
  const colon = domain.lastIndexOf(':');
  return (colon === -1 ? domain : domain.slice(0, colon)).toLowerCase();
}

const notFound = json({ error: 'Not Found' }, 404);

/** What a site answers to a request before, or instead of, the endpoints of the interface; undefined: those decide. */
function answerOf(site: Site, target: string): Answer | undefined {
  if (site.pages !== undefined && Object.hasOwn(site.pages, target)) return site.pages[target];
  return site.state === undefined ? (site.rest ?? notFound) : undefined;
}
