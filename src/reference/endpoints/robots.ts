import type { Endpoint } from './endpoint.ts';

/** `GET /robots.txt` (RFC 9309). */
export const robotsEndpoint: Endpoint = (app, stateOf) => {
  app.get('/robots.txt', async (request, reply) => {
    const { robots } = stateOf(request);
    if (robots === null) return reply.callNotFound();
    return reply.type('text/plain; charset=utf-8').send(robots);
  });
};
