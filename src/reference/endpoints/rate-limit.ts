import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exposeHeaders } from '../cross-origin.ts';
import { authenticate } from '../oauth/bearer.ts';
import type { RateLimit, ReferenceState } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Answers 429 to an address that asks more often than `state.rateLimit` says: whatever is under `/api/`, without a valid token. An address
 * is counted in a window of a minute and one of an hour, each from its first request on; refused requests count. A hook for all routes,
 * which ends at once while there is no limit. It is the last `onRequest` one, after that in which a fleet answers for those of its hosts
 * that have no state.
 */
export const rateLimit: Endpoint = (app, stateOf) => {
  const keys = new WeakMap<ReferenceState, number>();
  let states = 0;
  const keyOf = (state: ReferenceState): number => {
    const key = keys.get(state) ?? states++;
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
      const counts = (await Promise.all(windows.map((count) => count(request)))).filter((one) => !one.isAllowed);
      return answer(counts, reply);
    });
  });
};

function isLimited(request: FastifyRequest, state: ReferenceState): boolean {
  if (!request.url.startsWith('/api/')) return false;
  return request.headers.authorization === undefined || authenticate(request, state).token === undefined;
}

/** Where an address stands in a window after a request. */
interface Counted {
  readonly max: number;
  readonly remaining: number;
  readonly ttlInSeconds: number;
  readonly isExceeded: boolean;
}

/** Tells how many requests are left in the scarcer window, and refuses one beyond it, for the longer wait. */
function answer(windows: Counted[], reply: FastifyReply): FastifyReply | undefined {
  const [scarcer] = windows.sort((one, other) => one.remaining - other.remaining);
  exposeHeaders(reply).headers({ 'x-ratelimit-limit': scarcer?.max, 'x-ratelimit-remaining': scarcer?.remaining });
  const exceeded = windows.filter(({ isExceeded }) => isExceeded);
  if (exceeded.length === 0) return undefined;
  const seconds = Math.max(...exceeded.map(({ ttlInSeconds }) => ttlInSeconds));
  return reply.code(429).header('retry-after', seconds).send({ message: 'Too Many Attempts.', retry_after: seconds });
}
