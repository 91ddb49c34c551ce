import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Clock, HOUR_MS, MINUTE_MS } from '../model/time.ts';
import { HTML_TYPE, NO_STORE, PROBLEM_TYPE } from './answers/answer.ts';
import { answerClientError, ProblemError, toProblemError } from './answers/problems.ts';
import { addTagsAndCodings } from './answers/tags-and-codings.ts';
import type { ApiContext } from './api-context.ts';
import { endpointsOf } from './endpoints/endpoints.ts';
import { clientKeyOf, rateLimitKeyOf } from './guard/client-address.ts';
import { CROSS_ORIGIN, SECURITY } from './guard/common-headers.ts';
import { Metrics } from './metrics/metrics.ts';
import { addRoutes, createEndpointFinder } from './routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the request against the hourly limit of the client, which submissions and checks share. Returns the seconds to wait; 0 when the request is allowed. */
    countAgainstLimit(request: FastifyRequest): Promise<number>;
  }
}

export interface ApiOptions extends Omit<ApiContext, 'metrics' | 'countSubmission'> {
  /** Logs internal errors. Requests, and problems that are answers, are counted, not logged. */
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
  readonly version: string;
  /** Renders a failed request of a page. */
  readonly errorPage: (problem: { status: number; detail: string }) => string;
  /** Maximum requests per minute from one IP address (IPv6: one /64); 0 means no limit. */
  readonly ratePerMinute: number;
  /** Maximum submissions and checks per hour from one IP address (IPv6: one /64); at least 1. */
  readonly submissionsPerHour: number;
  /** Whether a proxy in front reports the client's address. */
  readonly trustProxy: boolean;
  readonly clock: Clock;
}

/** Time limit for receiving the headers of a request, for receiving all of it, and for idle keep-alive connections. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Interval of Node's check for slow requests. */
const CHECK_INTERVAL_MS = 2_000;
/** Time limit without traffic, for clients that don't read the response. Longer than a submission waits for its visit. */
const IDLE_TIMEOUT_MS = 20_000;
/** Far longer than a URL with a cursor, ranges and lists. */
const MAX_URL_LENGTH = 4_096;
/** Far longer than a posted domain. */
const MAX_BODY_BYTES = 1_024;
/** Longer than any domain with a port. */
const MAX_PARAMETER_LENGTH = 300;

/** Creates the HTTP server. The caller starts and closes it. */
export async function createApi(options: ApiOptions): Promise<FastifyInstance> {
  const { logger, version, ratePerMinute, submissionsPerHour, trustProxy, clock } = options;
  if (submissionsPerHour < 1)
    throw new RangeError(`submissionsPerHour is ${submissionsPerHour}, and must be at least 1`);
  const metrics = new Metrics(version);
  const endpoints = endpointsOf(version);
  const endpointOf = createEndpointFinder(endpoints);
  const count = ({ method, routeOptions }: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply) =>
    metrics.count({
      path: routeOptions.config.endpoint?.path ?? routeOptions.config.page,
      method,
      status,
      seconds: elapsedTime / 1_000,
    });
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { method, url } = request;
    const problem = toProblemError(error);
    if (problem.status === 500) logger.error({ err: error, method, url }, problem.message);
    if (problem.retryAfterSeconds !== null) reply.header('retry-after', problem.retryAfterSeconds);
    if (problem.allow !== null) reply.header('allow', problem.allow);
    reply.code(problem.status).header('cache-control', NO_STORE);
    if (isForPage(request)) {
      const { status, message: detail } = problem;
      return reply.type(HTML_TYPE).send(Buffer.from(options.errorPage({ status, detail })));
    }
    reply.type(PROBLEM_TYPE);
    // As bytes: Fastify would add a charset to a string, which the media type does not define.
    return reply.send(Buffer.from(JSON.stringify(problem.toProblem())));
  };

  const server: FastifyInstance = fastify({
    // One line per request would bury the crawler's log.
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: CHECK_INTERVAL_MS },
    keepAliveTimeout: REQUEST_TIMEOUT_MS,
    // Open client connections must not delay shutdown.
    forceCloseConnections: true,
    return503OnClosing: false,
    // One proxy: it appends the last address in X-Forwarded-For; a client may have written the others.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    exposeHeadRoutes: false,
    // Hooks do not run for a URL that the router cannot parse.
    frameworkErrors: (error, request, reply) => {
      fail(error, request, reply.headers({ ...CROSS_ORIGIN, 'x-content-type-options': 'nosniff' }));
      count(request, reply);
    },
    clientErrorHandler: answerClientError,
  });
  // A page of another origin may post text without a CORS preflight, but not JSON.
  server.removeContentTypeParser('text/plain');
  server.setErrorHandler(fail);
  // A proxy opens all connections from its own address.
  limitConnections(server.server, { perAddress: ratePerMinute > 0 && !trustProxy });
  limitPipelining(server);
  server.addHook('onResponse', (request, reply, done) => {
    count(request, reply);
    done();
  });

  await server.register(helmet, SECURITY);
  await server.register(rateLimit, {
    global: false,
    max: ratePerMinute,
    timeWindow: MINUTE_MS,
    store: requestCounter(clock),
    keyGenerator: rateLimitKeyOf,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { max, ttl }) => tooManyRequests(max, Math.ceil(ttl / 1_000)),
  });
  addTagsAndCodings(server);

  server.addHook('onRequest', (request, reply, next) => {
    reply.header('vary', 'accept-encoding');
    // Pages of other origins may read, but not post.
    if (endpointOf(request)?.method !== 'post') reply.headers(CROSS_ORIGIN);
    next();
  });
  if (ratePerMinute > 0) server.addHook('onRequest', server.rateLimit());
  server.addHook('onRequest', ({ url }, _reply, next) => {
    const isTooLong = url.length > MAX_URL_LENGTH;
    next(isTooLong ? new ProblemError(414, `The URL is longer than ${MAX_URL_LENGTH} characters.`) : undefined);
  });
  const countSubmission = server.createRateLimit({ max: submissionsPerHour, timeWindow: HOUR_MS });
  server.decorate('countAgainstLimit', async (request) => {
    const limit = await countSubmission(request);
    return !limit.isAllowed && limit.isExceeded ? limit.ttlInSeconds : 0;
  });
  addRoutes(server, { endpoints, endpointOf }, { ...options, metrics, countSubmission });
  return server;
}

/** Whether an error is shown as a page: at the path of a page, and to browsers everywhere but in the JSON API. */
function isForPage({ routeOptions, headers, url }: FastifyRequest): boolean {
  if (routeOptions.config.page !== undefined) return true;
  return !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '');
}

function tooManyRequests(max: number, retryAfterSeconds: number): ProblemError {
  const detail = `More than ${max} requests came from this address within a minute; try again in ${retryAfterSeconds} s.`;
  return new ProblemError(429, detail, { retryAfterSeconds });
}

/** Maximum clients with a request count; the least recently used is dropped. */
const MAX_CLIENTS = 100_000;

/**
 * Creates the store of a rate limit, which counts the requests of each client in windows of time. Unlike the plugin's own, it uses a
 * monotonic clock: a system clock that is set back would prolong the window.
 */
function requestCounter(clock: Clock): FastifyRateLimitStoreCtor {
  return class RequestCounter implements FastifyRateLimitStore {
    readonly #windows = new LRUCache<string, { startedAt: number; count: number }>({
      // Limits the sum of sizes, because `max` would allocate the places of all clients at once.
      maxSize: MAX_CLIENTS,
      sizeCalculation: () => 1,
    });

    incr: FastifyRateLimitStore['incr'] = (key, done, windowMs) => {
      const at = clock();
      const last = this.#windows.get(key);
      const isOpen = last !== undefined && at < last.startedAt + windowMs;
      const window = isOpen ? { ...last, count: last.count + 1 } : { startedAt: at, count: 1 };
      this.#windows.set(key, window);
      done(null, { current: window.count, ttl: window.startedAt + windowMs - at });
    };

    child(): FastifyRateLimitStore {
      return new RequestCounter();
    }
  };
}

const MAX_CONNECTIONS = 2_000;
/** Far more than a browser or a crawler opens. */
const MAX_CONNECTIONS_PER_ADDRESS = 100;
/** Requests of one connection that are sent before the first of them is answered. */
const MAX_PIPELINED = 20;

/** Closes connections above the limits as soon as they open. */
function limitConnections(server: Server, { perAddress }: { perAddress: boolean }): void {
  server.maxConnections = MAX_CONNECTIONS;
  if (!perAddress) return;
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const key = clientKeyOf(socket.remoteAddress ?? '');
    const count = (open.get(key) ?? 0) + 1;
    open.set(key, count);
    socket.once('close', () => {
      const remaining = (open.get(key) ?? 1) - 1;
      if (remaining === 0) open.delete(key);
      else open.set(key, remaining);
    });
    if (count > MAX_CONNECTIONS_PER_ADDRESS) socket.destroy();
  });
}

/** Closes a connection whose client sends too many requests without waiting for the answers. Must be the first hook, to be cheap. */
function limitPipelining(server: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  server.addHook('onRequest', ({ raw: { socket } }, reply, next) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (count <= MAX_PIPELINED) return next();
    reply.code(429).hijack();
    socket.destroy();
  });
}
