import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from './endpoints/endpoint.ts';

/**
 * Lets scripts of every site read all answers (CORS), including errors and faults, but not the consent pages. `*` is safe
 * because only the consent pages depend on a cookie. Written by hand, because @fastify/cors makes a config request take a fifth
 * longer.
 */
export const crossOrigin: Endpoint = (app) => {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.url.startsWith('/oauth/authorize')) return next();
    reply.header('access-control-allow-origin', '*');
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    answerPreflight(request, reply);
  });
};

const exposedHeaders = 'Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining';

/** Lets scripts of other sites read `exposedHeaders`. To save time, called only for answers that may have one of them. */
export function exposeHeaders(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-expose-headers', exposedHeaders);
}

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const requestedHeaders = request.headers['access-control-request-headers'];
  if (requestedHeaders !== undefined) reply.header('access-control-allow-headers', requestedHeaders);
  reply
    .code(204)
    .header('access-control-allow-methods', 'GET, HEAD, POST')
    .header('access-control-max-age', '86400')
    .header('vary', 'Access-Control-Request-Headers')
    .send();
}
