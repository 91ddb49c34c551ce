import { overlay } from '../overlay.ts';
import type { NodeInfo, NodeInfoDiscovery } from '../resources.ts';
import { federationIsShown, type ReferenceState } from '../state.ts';
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
function nodeInfoDiscoveryDocument(state: ReferenceState): NodeInfoDiscovery {
  const versions = state.profile === 'live' ? ['2.0', '2.1'] : ['2.0'];
  return {
    links: versions.map((version) => ({ rel: `${schema}/${version}`, href: `${state.url}/nodeinfo/${version}` })),
  };
}

/** `GET /nodeinfo/2.0`, endpoint 9 of the specification, and `/nodeinfo/2.1` in the profile `live`. */
export const nodeInfoEndpoint: Endpoint = (app, stateOf) => {
  app.get('/nodeinfo/2.0', async (request, reply) => {
    const state = stateOf(request);
    if (!federationIsShown(state)) return reply.callNotFound();
    return nodeInfoDocument(state);
  });
  app.get('/nodeinfo/2.1', async (request, reply) => {
    const state = stateOf(request);
    if (state.profile === 'spec' || !federationIsShown(state)) return reply.callNotFound();
    return { ...nodeInfoDocument(state), version: '2.1' };
  });
};

/** The NodeInfo document, specification section 2.7, as it follows from the state, with `state.nodeInfo` laid over it. */
export function nodeInfoDocument(state: ReferenceState): NodeInfo {
  // A test may have set `app` to null.
  const { app, registration } = state.config;
  const document: NodeInfo = {
    version: '2.0',
    software: { name: app?.software, version: app?.version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: registration,
    usage: state.usage,
    metadata: { nodeName: app?.name, nodeDescription: app?.description },
  };
  return overlay(document, state.nodeInfo);
}
