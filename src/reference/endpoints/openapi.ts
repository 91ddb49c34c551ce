import { openApiDocument } from '../openapi/document.ts';
import type { Endpoint } from './endpoint.ts';

/** `GET /openapi.json`: the interface as an OpenAPI 3.1 document. */
export const openApiEndpoint: Endpoint = (app, stateOf) => {
  // Making the document takes milliseconds, and one server asks for the same one again and again.
  let last = { key: '', text: '' };
  app.get('/openapi.json', (request, reply) => {
    const { profile, url } = stateOf(request);
    const key = `${profile} ${url}`;
    if (last.key !== key) last = { key, text: JSON.stringify(openApiDocument({ profile, url })) };
    return reply.type('application/json; charset=utf-8').send(last.text);
  });
};
