import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Answer, createAnswerCache, NEVER } from './answers/answer.ts';
import { ProblemError } from './answers/problems.ts';
import type { ApiContext } from './api-context.ts';
import type { Endpoint } from './endpoint.ts';
import { PREFLIGHT } from './guard/common-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

type EndpointFinder = (request: FastifyRequest) => Endpoint | undefined;

/** Finds the endpoint of a request by its path, whatever its method. */
export function createEndpointFinder(endpoints: readonly Endpoint[]): EndpointFinder {
  const patterns = endpoints.map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`),
  }));
  return ({ routeOptions, url }) =>
    routeOptions.config.endpoint ?? patterns.find(({ pattern }) => pattern.test(url))?.endpoint;
}

interface Endpoints {
  readonly endpoints: readonly Endpoint[];
  readonly endpointOf: EndpointFinder;
}

/** Routes every endpoint and its preflight, and refuses other requests: 404, or 405 with `Allow`. */
export function addRoutes(server: FastifyInstance, { endpoints, endpointOf }: Endpoints, context: ApiContext): void {
  const answerOf = createAnswerer(context);
  for (const endpoint of endpoints) {
    const config = { endpoint };
    const url = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const method = endpoint.method === 'post' ? 'POST' : ['GET', 'HEAD'];
    server.route({
      ...{ method, url, config },
      async handler(request, reply) {
        const { status, type, cacheControl, body, etag } = await answerOf(endpoint, request);
        reply.code(status).type(type).header('cache-control', cacheControl);
        if (etag !== undefined) reply.header('etag', etag);
        return body;
      },
    });
    server.options(url, { config }, (_request, reply) => {
      if (endpoint.method !== 'post') reply.headers(PREFLIGHT);
      reply
        .code(204)
        .headers({ allow: allowOf(endpoint), 'cache-control': NEVER })
        .send();
    });
  }
  // Before a body is parsed, which would be refused for its form.
  server.addHook('onRequest', (request, _reply, next) => {
    next(request.is404 ? notFound(endpointOf(request)) : undefined);
  });
}

/** Keeps the answers of endpoints that name what they are made from. */
function createAnswerer(context: ApiContext) {
  const cache = createAnswerCache();
  return (endpoint: Endpoint, request: FastifyRequest): Answer | Promise<Answer> => {
    const source = endpoint.madeFrom?.(context);
    if (source === undefined) return endpoint.respond(request, context);
    const kept = cache.get(request.url, source);
    if (kept !== undefined) return kept;
    const answer = endpoint.respond(request, context);
    if (!(answer instanceof Promise)) cache.set(request.url, source, answer);
    return answer;
  };
}

const NOTHING_HERE = new ProblemError(404, 'There is nothing at this path; /api tells what there is.');

function allowOf({ method }: Endpoint): string {
  return method === 'post' ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS';
}

function notFound(endpoint: Endpoint | undefined): ProblemError {
  if (endpoint === undefined) return NOTHING_HERE;
  const detail =
    endpoint.method === 'post'
      ? 'This is written to, with POST; there is nothing to be read.'
      : 'This is read, with GET or HEAD; it cannot be written.';
  return new ProblemError(405, detail, { allow: allowOf(endpoint) });
}
