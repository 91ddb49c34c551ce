import formbody from '@fastify/formbody';
import Fastify, {
  type FastifyInstance,
  type FastifyServerFactory,
  type FastifyServerOptions,
  type onRequestHookHandler,
} from 'fastify';
import { crossOrigin } from './cross-origin.ts';
import { accountSelfEndpoint } from './endpoints/account-self.ts';
import { appAccountEndpoints } from './endpoints/app-accounts.ts';
import { appPageEndpoints } from './endpoints/app-pages.ts';
import { appVideoEndpoints } from './endpoints/app-videos.ts';
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
import { inboxEndpoint } from './endpoints/inbox.ts';
import { logoutEndpoint } from './endpoints/logout.ts';
import { mediaEndpoint } from './endpoints/media.ts';
import { nodeInfoDiscoveryEndpoint, nodeInfoEndpoint } from './endpoints/nodeinfo.ts';
import { oauthMetadataEndpoint } from './endpoints/oauth-metadata.ts';
import { openApiEndpoint } from './endpoints/openapi.ts';
import { rateLimit } from './endpoints/rate-limit.ts';
import { revokeEndpoint } from './endpoints/revoke.ts';
import { robotsEndpoint } from './endpoints/robots.ts';
import { tokenEndpoint } from './endpoints/token.ts';
import { videoEndpoint } from './endpoints/video.ts';
import { addExchangeHooks, type OnExchange } from './exchanges.ts';
import { addFaults, type FaultsOf } from './faults/add-faults.ts';
import type { Reset } from './faults/wire.ts';
import { readMultipartForms } from './multipart.ts';
import { normaliseTarget } from './normalise-target.ts';

/** No route has a JSON Schema, so that Fastify need not load its two compilers, a hundred modules. */
export const withoutSchemas: FastifyServerOptions['schemaController'] = {
  compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
};

function refuseSchema(): never {
  throw new Error('Routes of the reference server have no schema.');
}

const endpoints: Endpoint[] = [
  // Adds no route, only a hook.
  rateLimit,
  accountSelfEndpoint,
  videoEndpoint,
  mediaEndpoint,
  configEndpoint,
  nodeInfoDiscoveryEndpoint,
  nodeInfoEndpoint,
  webFingerEndpoint,
  actorEndpoint,
  inboxEndpoint,
  robotsEndpoint,
  openApiEndpoint,
  appsEndpoint,
  authorizeEndpoint,
  tokenEndpoint,
  revokeEndpoint,
  oauthMetadataEndpoint,
];

/** What apps call on live servers after the sign-in. */
const appEndpoints: Endpoint[] = [logoutEndpoint, appAccountEndpoints, appVideoEndpoints, appPageEndpoints];

export interface InterfaceOptions {
  /** Creates the HTTP server. Default: plain HTTP. */
  serverFactory?: FastifyServerFactory;
  /** Runs first, before faults and delays. */
  onRequest?: onRequestHookHandler;
  /** Called with each request and its answer, before the answer is sent. */
  onExchange?: OnExchange | undefined;
  /** Runs after faults and delays; a request that it answers does not reach the endpoints. */
  beforeEndpoints?: onRequestHookHandler;
  /** Finds the faults that apply to a request. Default: the faults of its state. */
  faultsOf?: FaultsOf;
  /** Sends a TCP reset on a connection. */
  reset: Reset;
}

/** The Fastify app with every endpoint, shared by the reference server and the fleet. */
export function createInterface(stateOf: StateOf, options: InterfaceOptions): FastifyInstance {
  const { serverFactory, onRequest, onExchange, beforeEndpoints, faultsOf = stateOf, reset } = options;
  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit,
    // Longer than any request line, so that an absurdly long id is answered like any unknown id.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: ({ url = '/' }) => normaliseTarget(url),
    clientErrorHandler: answerClientError,
    schemaController: withoutSchemas,
    serverFactory,
  });
  const sendNotFound = createNotFound(stateOf, collectRouteMethods(app));
  addErrorAnswers(app, sendNotFound);
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
  if (onRequest !== undefined) app.addHook('onRequest', onRequest);
  if (onExchange !== undefined) addExchangeHooks(app, stateOf, onExchange);
  app.removeContentTypeParser('text/plain');
  app.register(formbody);
  readMultipartForms(app);
  // Before the faults, so that scripts of other sites can read faulty answers too.
  crossOrigin(app, stateOf);
  addFaults(app, faultsOf, reset);
  if (beforeEndpoints !== undefined) app.addHook('onRequest', beforeEndpoints);
  // After every `onRequest` hook, and before the body is read.
  app.addHook('preParsing', (request, reply, _payload, next) => {
    const { profile } = request.routeOptions.config;
    if (profile === undefined || profile === stateOf(request).profile) return next();
    sendNotFound(reply);
  });
  for (const endpoint of endpoints) endpoint(app, stateOf);
  app.register(async (scope) => {
    acceptEmptyJson(scope);
    for (const endpoint of appEndpoints) endpoint(scope, stateOf);
  });
  return app;
}

/** Accepts an empty body of the type JSON as none, because the official app sends one. */
function acceptEmptyJson(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, null);
    else parse(request, String(body), done);
  });
}
