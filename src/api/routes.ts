import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NO_STORE } from './answers/answer.ts';
import { ProblemError, pathNotFound } from './answers/problems.ts';
import type { ApiContext } from './api-context.ts';
import type { Endpoint } from './endpoint.ts';
import { PREFLIGHT } from './guard/common-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
    /** The path of a page, as in metrics: `/instances/{domain}`. Its errors are pages too. */
    page?: string;
    /** Has a rate limit of its own: one page loads several. */
    isAsset?: boolean;
  }
}

type EndpointFinder = (request: FastifyRequest) => Endpoint | undefined;

/** Finds the endpoint of a request by its path, for any method. */
export function createEndpointFinder(endpoints: readonly Endpoint[]): EndpointFinder {
  // The path of exported files (`/{file}`) matches any name. It is skipped, so that an unknown path has no endpoint.
  const named = endpoints.filter(({ path }) => !path.startsWith('/{'));
  const patterns = named.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));
  return ({ routeOptions, url }) =>
    routeOptions.config.endpoint ?? patterns.find(({ pattern }) => pattern.test(url))?.endpoint;
}

interface Endpoints {
  readonly endpoints: readonly Endpoint[];
  readonly endpointOf: EndpointFinder;
}

/** Routes every endpoint and its preflight, and refuses other requests: 404, or 405 with `Allow`. */
export function addRoutes(server: FastifyInstance, { endpoints, endpointOf }: Endpoints, context: ApiContext): void {
  const pages: RegExp[] = [];
  server.addHook('onRoute', ({ url, config }) => {
    if (config?.page !== undefined) pages.push(patternOf(url.replaceAll(/:\w+/g, '{}')));
  });
  server.addHook('onReady', async () => {
    for (const { prepare } of endpoints) await prepare?.(context);
  });
  for (const endpoint of endpoints) {
    const config = { endpoint };
    const url = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const method = endpoint.method === 'post' ? 'POST' : ['GET', 'HEAD'];
    server.route({
      ...{ method, url, config },
      async handler(request, reply) {
        const { status, type, cacheControl, body, etag, headers = {} } = await endpoint.respond(request, context);
        reply.code(status).type(type).headers(headers).header('cache-control', cacheControl);
        if (etag !== undefined) reply.header('etag', etag);
        return body;
      },
    });
    server.options(url, { config }, (_request, reply) => {
      if (endpoint.method !== 'post') reply.headers(PREFLIGHT);
      reply
        .code(204)
        .headers({ allow: allowOf(endpoint), 'cache-control': NO_STORE })
        .send();
    });
  }
  // Runs before the body is parsed, because an invalid body would otherwise hide the 404 or 405.
  server.addHook('onRequest', (request, _reply, next) => {
    const isPage = request.is404 && pages.some((pattern) => pattern.test(request.url));
    next(request.is404 ? refusalOf(endpointOf(request), isPage) : undefined);
  });
}

function allowOf({ method }: Endpoint): string {
  return method === 'post' ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS';
}

/** Matches the URLs of a path in OpenAPI form. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w*\}/g, '[^/?]+')}(?:\\?|$)`);
}

/** 404 for an unknown path, 405 for a method that the endpoint or page does not support. */
function refusalOf(endpoint: Endpoint | undefined, isPage: boolean): ProblemError {
  if (endpoint === undefined) {
    if (!isPage) return pathNotFound();
    return new ProblemError(405, 'This page accepts only GET and HEAD.', { allow: 'GET, HEAD' });
  }
  const detail = endpoint.method === 'post' ? 'This path accepts only POST.' : 'This path accepts only GET and HEAD.';
  return new ProblemError(405, detail, { allow: allowOf(endpoint) });
}
