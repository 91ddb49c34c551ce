import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exposeHeaders } from '../cross-origin.ts';
import { authenticate } from '../oauth/bearer.ts';
import type { RateLimit, ReferenceState } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Answers 429 to requests under `/api/` without a valid token that exceed `state.rateLimit`. Each address has a window of a minute
 * and one of an hour, which start with its first request; refused requests count. Must be the last `onRequest` hook, after the one
 * in which a fleet itself answers for its hosts without a `ReferenceState`.
 */
export const rateLimit: Endpoint = (app, stateOf) => {
  const keys = new WeakMap<ReferenceState, number>();
  let stateCount = 0;
  const keyOf = (state: ReferenceState): number => {
    const key = keys.get(state) ?? stateCount++;
    keys.set(state, key);
    return key;
  };
  app.register(rateLimitPlugin, {
    global: false,
    keyGenerator: (request) => `${keyOf(stateOf(request))} ${request.ip}`,
  });
  app.after(() => {
    const windowOf = (name: keyof RateLimit, timeWindow: number) =>
      app.createRateLimit({ max: (request) => stateOf(request).rateLimit?.[name] ?? 0, timeWindow });
    const windows = [windowOf('perMinute', 60_000), windowOf('perHour', 3_600_000)];
    app.addHook('onRequest', async (request, reply) => {
      const state = stateOf(request);
      if (state.rateLimit === null || !isLimited(request, state)) return;
      // `isAllowed` means that the address is on an allow list, in which case the plugin counts nothing.
      const counts = (await Promise.all(windows.map((countRequest) => countRequest(request)))).filter(
        (count) => !count.isAllowed,
      );
      return reportLimit(counts, reply);
    });
  });
};

function isLimited(request: FastifyRequest, state: ReferenceState): boolean {
  if (!request.url.startsWith('/api/')) return false;
  return request.headers.authorization === undefined || authenticate(request, state).token === undefined;
}

/** The count of an address in a window after a request. */
interface WindowCount {
  readonly max: number;
  readonly remaining: number;
  readonly ttlInSeconds: number;
  readonly isExceeded: boolean;
}

/** Reports the window with fewer requests left. Answers 429 when a limit is exceeded; Retry-After is the longest wait of such a window. */
function reportLimit(windows: WindowCount[], reply: FastifyReply): FastifyReply | undefined {
  const [tighter] = windows.sort((a, b) => a.remaining - b.remaining);
  exposeHeaders(reply).headers({ 'x-ratelimit-limit': tighter?.max, 'x-ratelimit-remaining': tighter?.remaining });
  const exceeded = windows.filter(({ isExceeded }) => isExceeded);
  if (exceeded.length === 0) return undefined;
  const seconds = Math.max(...exceeded.map(({ ttlInSeconds }) => ttlInSeconds));
  return reply.code(429).header('retry-after', seconds).send({ message: 'Too many requests', retry_after: seconds });
}
