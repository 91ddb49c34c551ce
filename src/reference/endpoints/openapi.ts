import type { Endpoint } from './endpoint.ts';

/** `GET /openapi.json`: the interface as an OpenAPI 3.1 document. */
export const openApiEndpoint: Endpoint = (app, stateOf) => {
  // Building the document takes milliseconds, and a server usually repeats the same one.
  let lastDocument = { key: '', text: '' };
  app.get('/openapi.json', async (request, reply) => {
    const { profile, url } = stateOf(request);
    const key = `${profile} ${url}`;
    if (lastDocument.key !== key) {
      // Loaded here, because few servers are asked for it.
      const { openApiDocument } = await import('../openapi/document.ts');
      lastDocument = { key, text: JSON.stringify(openApiDocument({ profile, url })) };
    }
    return reply.type('application/json; charset=utf-8').send(lastDocument.text);
  });
};
