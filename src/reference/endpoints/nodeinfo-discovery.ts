import { federationIsShown } from '../federation/actor-keys.ts';
import type { NodeInfoDiscovery } from '../resources/resources.ts';
import type { ReferenceState } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

const schema = 'http://nodeinfo.diaspora.software/ns/schema';

/** `GET /.well-known/nodeinfo`, endpoint 8 of the specification. */
export const nodeInfoDiscoveryEndpoint: Endpoint = (app, stateOf) => {
  app.get('/.well-known/nodeinfo', async (request, reply) => {
    const state = stateOf(request);
    if (!federationIsShown(state)) return reply.callNotFound();
    return nodeInfoDiscoveryDocument(state);
  });
};

/** The discovery document, specification section 2.6; in the profile `live` with a 2.1 link after the 2.0 one. */
export function nodeInfoDiscoveryDocument(state: ReferenceState): NodeInfoDiscovery {
  const versions = state.profile === 'live' ? ['2.0', '2.1'] : ['2.0'];
  return {
    links: versions.map((version) => ({ rel: `${schema}/${version}`, href: `${state.url}/nodeinfo/${version}` })),
  };
}
