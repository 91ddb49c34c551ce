import { federationIsShown } from '../federation/actor-keys.ts';
import { overlay } from '../overlay.ts';
import type { NodeInfo } from '../resources/resources.ts';
import type { ReferenceState } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

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
