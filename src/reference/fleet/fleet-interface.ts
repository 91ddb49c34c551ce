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

/** Answers requests to the hosts of a fleet: with the fixed pages of the host, else with the endpoints of the reference server. */
export function createFleetInterface({ hosts, log, reset, serverFactory }: FleetInterfaceOptions): FastifyInstance {
  const hostOf = (request: FastifyRequest): HostEntry => {
    const host = hosts.find(nameOf(request));
    if (host === undefined) throw new Error(`${nameOf(request)} is not a host of this fleet.`);
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
      // Before all faults, so that every request for a known host is logged.
      onRequest: (request, reply, next) => {
        if (hosts.find(nameOf(request)) === undefined) {
          reply.code(421).send({ message: 'No host of this fleet has this name.' });
          return;
        }
        const loggedRequest = {
          domain: request.headers.host ?? '',
          method: request.method,
          path: request.url,
          userAgent: request.headers['user-agent'] ?? null,
          at: Date.now(),
        };
        const onEnd = log?.add(loggedRequest, request.raw.socket);
        if (onEnd !== undefined) reply.raw.once('close', onEnd);
        next();
      },
      beforeEndpoints: (request, reply, next) => {
        const answer = fixedAnswer(hostOf(request).site, request.url);
        if (answer === undefined) return next();
        reply.code(answer.status).headers(answer.headers).send(answer.body);
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

/** The fixed answer of a site to a request; undefined: the endpoints answer. */
function fixedAnswer(site: Site, target: string): Answer | undefined {
  if (site.pages !== undefined && Object.hasOwn(site.pages, target)) return site.pages[target];
  return site.state === undefined ? (site.fallback ?? notFound) : undefined;
}
