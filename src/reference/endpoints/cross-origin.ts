import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from './endpoint.ts';

/**
 * Lets the scripts of every site read the answers of the interface (CORS), those that go wrong among them. Nothing there depends on a
 * cookie, so that `*` gives nothing away. The consent pages are left out: no script of another site has business there. One hook with
 * one constant header: @fastify/cors costs a config request a fifth of its time.
 */
export const crossOrigin: Endpoint = (app) => {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.url.startsWith('/oauth/authorize')) return next();
    reply.header('access-control-allow-origin', '*');
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    answerPreflight(request, reply);
  });
};

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const wanted = request.headers['access-control-request-headers'];
  if (wanted !== undefined) reply.header('access-control-allow-headers', wanted);
  reply
    .code(204)
    .header('access-control-allow-methods', 'GET, HEAD, POST')
    .header('access-control-max-age', '86400')
    .header('vary', 'Access-Control-Request-Headers')
    .send();
}
