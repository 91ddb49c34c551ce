import { openApiDocument } from '../openapi/document.ts';
import type { Endpoint } from './endpoint.ts';

/** `GET /openapi.json`: the interface as an OpenAPI 3.1 document. */
export const openApiEndpoint: Endpoint = (app, stateOf) => {
  // Building the document takes milliseconds, and a server usually repeats the same one.
  let lastDocument = { key: '', text: '' };
  app.get('/openapi.json', (request, reply) => {
    const { profile, url } = stateOf(request);
    const key = `${profile} ${url}`;
    if (lastDocument.key !== key) lastDocument = { key, text: JSON.stringify(openApiDocument({ profile, url })) };
    return reply.type('application/json; charset=utf-8').send(lastDocument.text);
  });
};
