import type { FastifyReply } from 'fastify';
import { deepMerge } from '../deep-merge.ts';
import type { NodeInfo, NodeInfoDiscovery } from '../resources.ts';
import { isFederationVisible, type ReferenceState } from '../state.ts';
import type { Endpoint } from './endpoint.ts';

const schema = 'http://nodeinfo.diaspora.software/ns/schema';

/** `GET /.well-known/nodeinfo`, endpoint 8 of the specification. */
export const nodeInfoDiscoveryEndpoint: Endpoint = (app, stateOf) => {
  app.get('/.well-known/nodeinfo', async (request, reply) => {
    const state = stateOf(request);
    if (!isFederationVisible(state)) return reply.callNotFound();
    return nodeInfoDiscoveryDocument(state);
  });
};

/** `GET /nodeinfo/2.0`, endpoint 9 of the specification, and `/nodeinfo/2.1` in the profile `live`. */
export const nodeInfoEndpoint: Endpoint = (app, stateOf) => {
  app.get('/nodeinfo/2.0', async (request, reply) => {
    const state = stateOf(request);
    if (!isFederationVisible(state)) return reply.callNotFound();
    return sendNodeInfo(reply, state, '2.0');
  });
  app.get('/nodeinfo/2.1', async (request, reply) => {
    const state = stateOf(request);
    if (state.profile === 'spec' || !isFederationVisible(state)) return reply.callNotFound();
    return sendNodeInfo(reply, state, '2.1');
  });
};

/** Sends the NodeInfo document; in the profile `live` its content type names the schema. */
function sendNodeInfo(reply: FastifyReply, state: ReferenceState, version: string): FastifyReply {
  const document = nodeInfoDocument(state, version);
  if (state.profile === 'spec') return reply.send(document);
  // As bytes: Fastify would add a charset to the content type of anything else.
  return reply.type(`application/json; profile="${schema}/${version}#"`).send(Buffer.from(JSON.stringify(document)));
}

/** The discovery document, specification section 2.6; the profile `live` adds a 2.1 link. */
function nodeInfoDiscoveryDocument(state: ReferenceState): NodeInfoDiscovery {
  const versions = state.profile === 'live' ? ['2.0', '2.1'] : ['2.0'];
  return {
    links: versions.map((version) => ({ rel: `${schema}/${version}`, href: `${state.url}/nodeinfo/${version}` })),
  };
}

/** The NodeInfo document, specification section 2.7: derived from the state, then merged with `state.nodeInfo`. */
function nodeInfoDocument(state: ReferenceState, version: string): NodeInfo {
  // A test may have set `app` to null.
  const { app, registration } = state.config;
  const document: NodeInfo = {
    version,
    software: { name: app?.software, version: app?.version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: registration,
    usage: state.usage,
    metadata: { nodeName: app?.name, nodeDescription: app?.description },
  };
  return deepMerge(document, state.nodeInfo);
}
