import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyServerFactory, type onRequestHookHandler } from 'fastify';
import { crossOrigin } from './cross-origin.ts';
import { accountSelfEndpoint } from './endpoints/account-self.ts';
import { appsEndpoint } from './endpoints/apps.ts';
import { authorizeEndpoint } from './endpoints/authorize.ts';
import { configEndpoint } from './endpoints/config.ts';
import type { Endpoint, StateOf } from './endpoints/endpoint.ts';
import {
  addErrorAnswers,
  answerClientError,
  bodyLimit,
  collectRouteMethods,
  createNotFound,
} from './endpoints/errors.ts';
import { actorEndpoint, webFingerEndpoint } from './endpoints/federation.ts';
import { mediaEndpoint } from './endpoints/media.ts';
import { nodeInfoDiscoveryEndpoint, nodeInfoEndpoint } from './endpoints/nodeinfo.ts';
import { oauthMetadataEndpoint } from './endpoints/oauth-metadata.ts';
import { openApiEndpoint } from './endpoints/openapi.ts';
import { rateLimit } from './endpoints/rate-limit.ts';
import { revokeEndpoint } from './endpoints/revoke.ts';
import { robotsEndpoint } from './endpoints/robots.ts';
import { tokenEndpoint } from './endpoints/token.ts';
import { videoEndpoint } from './endpoints/video.ts';
import { addFaults, type FaultsOf } from './faults/add-faults.ts';
import type { Reset } from './faults/wire.ts';
import { normaliseTarget } from './normalise-target.ts';

const endpoints: Endpoint[] = [
  rateLimit,
  accountSelfEndpoint,
  videoEndpoint,
  mediaEndpoint,
  configEndpoint,
  nodeInfoDiscoveryEndpoint,
  nodeInfoEndpoint,
  webFingerEndpoint,
  actorEndpoint,
  robotsEndpoint,
  openApiEndpoint,
  appsEndpoint,
  authorizeEndpoint,
  tokenEndpoint,
  revokeEndpoint,
  oauthMetadataEndpoint,
];

export interface InterfaceOptions {
  /** Makes the server that requests come from. Default: one of plain HTTP. */
  serverFactory?: FastifyServerFactory;
  /** Runs before everything else, faults and delays included. */
  onRequest?: onRequestHookHandler;
  /** Runs after faults and delays; what it answers never comes to the endpoints. */
  beforeEndpoints?: onRequestHookHandler;
  /** Whose faults a request meets. Default: those of `stateOf`. */
  faultsOf?: FaultsOf;
  reset: Reset;
}

/** A Fastify app with every endpoint of the interface; the reference server and the fleet are both made of it. */
export function createInterface(stateOf: StateOf, options: InterfaceOptions): FastifyInstance {
  const { serverFactory, onRequest, beforeEndpoints, faultsOf = stateOf, reset } = options;
  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit,
    // Longer than a request line can be, so that an absurd id is answered as any other that is unknown.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: ({ url = '/' }) => normaliseTarget(url),
    clientErrorHandler: answerClientError,
    ...(serverFactory === undefined ? {} : { serverFactory }),
  });
  const sendNotFound = createNotFound(stateOf, collectRouteMethods(app));
  addErrorAnswers(app, sendNotFound);
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
  if (onRequest !== undefined) app.addHook('onRequest', onRequest);
  app.removeContentTypeParser('text/plain');
  app.register(formbody);
  // Before what goes wrong on purpose, so that scripts of other sites can read that too.
  crossOrigin(app, stateOf);
  addFaults(app, faultsOf, reset);
  if (beforeEndpoints !== undefined) app.addHook('onRequest', beforeEndpoints);
  for (const endpoint of endpoints) endpoint(app, stateOf);
  return app;
}
