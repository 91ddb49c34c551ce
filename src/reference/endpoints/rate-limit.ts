import type { FastifyReply, FastifyRequest } from 'fastify';
import { exposeHeaders } from '../exposed-headers.ts';
import { authenticate } from '../oauth/bearer.ts';
import { type Attempts, createRateLimiter, type RateLimiter } from '../rate-limiter.ts';
import type { ReferenceState } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Answers 429 to an address that asks more often than `state.rateLimit` says: whatever is under `/api/`, without a token that
 * holds. A hook for all routes, which ends at once while there is no limit. It is the last `onRequest` one, after that in which a
 * fleet answers for those of its hosts that have no state.
 */
export const rateLimit: Endpoint = (app, stateOf) => {
  const limiters = new Map<ReferenceState, RateLimiter>();
  const limiterOf = (state: ReferenceState): RateLimiter => {
    let limiter = limiters.get(state);
    if (limiter === undefined) {
      limiter = createRateLimiter();
      limiters.set(state, limiter);
    }
    return limiter;
  };

  app.addHook('onClose', (_app, done) => {
    for (const limiter of limiters.values()) limiter.forget();
    limiters.clear();
    done();
  });
  app.addHook('onRequest', (request, reply, next) => {
    const state = stateOf(request);
    const { rateLimit: limit } = state;
    if (limit === null || !isLimited(request, state)) return next();
    limiterOf(state)
      .attempt(request.ip, limit)
      .then((attempts) => {
        if (allow(attempts, reply)) next();
      }, next);
  });
};

function isLimited(request: FastifyRequest, state: ReferenceState): boolean {
  if (!request.url.startsWith('/api/')) return false;
  return request.headers.authorization === undefined || authenticate(request, state).token === undefined;
}

/** Tells how many attempts are left; whether the request may go on. If not, it was answered. */
function allow({ limit, remaining, retryAfterMs }: Attempts, reply: FastifyReply): boolean {
  exposeHeaders(reply).header('x-ratelimit-limit', limit).header('x-ratelimit-remaining', remaining);
  if (retryAfterMs === null) return true;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  reply.code(429).header('retry-after', seconds).send({ message: 'Too Many Attempts.', retry_after: seconds });
  return false;
}
