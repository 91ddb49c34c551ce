import Fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify';
import { configEndpoint } from './endpoints/config.ts';
import type { Endpoint, StateOf } from './endpoints/endpoint.ts';
import { nodeInfoEndpoint } from './endpoints/nodeinfo.ts';
import { nodeInfoDiscoveryEndpoint } from './endpoints/nodeinfo-discovery.ts';
import { notFound } from './endpoints/not-found.ts';
import { robotsEndpoint } from './endpoints/robots.ts';

const endpoints: Endpoint[] = [configEndpoint, nodeInfoDiscoveryEndpoint, nodeInfoEndpoint, robotsEndpoint, notFound];

/** A Fastify app with every endpoint of the interface; the reference server and the fleet are both made of it. */
export function createInterface(stateOf: StateOf, serverFactory?: FastifyServerFactory): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, ...(serverFactory === undefined ? {} : { serverFactory }) });
  for (const endpoint of endpoints) endpoint(app, stateOf);
  return app;
}
