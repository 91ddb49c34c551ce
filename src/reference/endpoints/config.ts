import type { ReferenceState } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

/** `GET /api/v1/config`, endpoint 7 of the specification. */
export const configEndpoint: Endpoint = (app, stateOf) => {
  app.get('/api/v1/config', (request, reply) => reply.send(configDocument(stateOf(request))));
};

/** The server configuration resource, specification section 2.5; in the profile `live`, `hasGifProvider` is named `hasKlipy`. */
export function configDocument(state: ReferenceState): object {
  // Copies nothing in the common case, because clients may request config thousands of times.
  if (state.profile === 'spec' && state.missingConfigKeys.length === 0) return state.config;
  const document: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(state.config)) {
    if (state.missingConfigKeys.some((missing) => missing === key)) continue;
    document[state.profile === 'live' && key === 'hasGifProvider' ? 'hasKlipy' : key] = value;
  }
  return document;
}
