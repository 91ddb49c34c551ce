import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { NEVER, PROBLEM_TYPE } from './answers/answer.ts';
import { answerClientError, ProblemError, toProblemError } from './answers/problems.ts';
import { addTagsAndCodings } from './answers/tags-and-codings.ts';
import type { ApiContext } from './api-context.ts';
import { endpointsOf } from './endpoints/endpoints.ts';
import { CROSS_ORIGIN, SECURITY } from './guard/common-headers.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addRoutes, createEndpointFinder } from './routes.ts';

export interface ApiOptions extends Omit<ApiContext, 'metrics' | 'countSubmission'> {
  /** Logs our own errors; requests are counted, not logged. */
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
  readonly version: string;
  /** Requests a minute from one address; 0: any number. */
  readonly ratePerMinute: number;
  /** Domains that one address may submit in an hour, at least 1. */
  readonly submissionsPerHour: number;
  /** Whether a proxy in front names the client's address. */
  readonly trustProxy: boolean;
}

/** For a request to arrive, and for a connection without one. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node looks for requests that took too long. */
const LOOK_EVERY_MS = 2_000;
/** Without a byte in either direction: clients that don't read their answer. Longer than a submission waits for its visit. */
const IDLE_TIMEOUT_MS = 20_000;
/** A cursor, a range and some lists are well below. */
const MAX_URL_LENGTH = 4_096;
const HOUR_MS = 3_600_000;
/** A posted domain is well below. */
const MAX_BODY_BYTES = 1_024;
/** Longer than any domain with a port. */
const MAX_PARAMETER_LENGTH = 300;
/** Addresses whose requests are counted; beyond that the one that came least recently is forgotten. */
const MAX_ADDRESSES = 100_000;

/** The HTTP side of the service; the caller has it listen, and closes it. */
export async function createApi(options: ApiOptions): Promise<FastifyInstance> {
  const { logger, version, ratePerMinute, submissionsPerHour, trustProxy } = options;
  if (submissionsPerHour < 1)
    throw new RangeError(`submissionsPerHour is ${submissionsPerHour}, and must be at least 1`);
  const metrics = createMetrics(version);
  const endpoints = endpointsOf(version);
  const endpointOf = createEndpointFinder(endpoints);
  const count = ({ method, routeOptions }: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply) =>
    metrics.count({ path: routeOptions.config.endpoint?.path, method, status, seconds: elapsedTime / 1_000 });
  const fail = (error: unknown, { method, url }: FastifyRequest, reply: FastifyReply) => {
    const problem = toProblemError(error);
    if (problem.status >= 500) logger.error({ err: error, method, url }, problem.message);
    if (problem.retryAfterSeconds !== null) reply.header('retry-after', problem.retryAfterSeconds);
    if (problem.allow !== null) reply.header('allow', problem.allow);
    reply.code(problem.status).type(PROBLEM_TYPE).header('cache-control', NEVER);
    // As bytes: to a text Fastify would add a charset, which the type does not have.
    return reply.send(Buffer.from(JSON.stringify(problem.toProblem())));
  };

  const server: FastifyInstance = fastify({
    // One line for each request would drown the crawler's.
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    http: { connectionsCheckingInterval: LOOK_EVERY_MS },
    keepAliveTimeout: REQUEST_TIMEOUT_MS,
    // A client that keeps its connection open does not hold up the end of the service.
    forceCloseConnections: true,
    return503OnClosing: false,
    // One proxy: the last address in X-Forwarded-For is what it saw; those before are what a client wrote.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    exposeHeadRoutes: false,
    // No hook runs for a URL that the router cannot read.
    frameworkErrors: (error, request, reply) => {
      fail(error, request, reply.headers({ ...CROSS_ORIGIN, 'x-content-type-options': 'nosniff' }));
      count(request, reply);
    },
    clientErrorHandler: answerClientError,
  });
  // A page of another origin may post text without asking; JSON it may not.
  server.removeContentTypeParser('text/plain');
  server.setErrorHandler(fail);
  server.addHook('onResponse', (request, reply, done) => {
    count(request, reply);
    done();
  });

  await server.register(helmet, SECURITY);
  await server.register(rateLimit, {
    global: false,
    max: ratePerMinute,
    timeWindow: 60_000,
    cache: MAX_ADDRESSES,
    enableDraftSpec: true,
    allowList: ({ routeOptions }) => routeOptions.config.endpoint?.isUnlimited === true,
    errorResponseBuilder: (_request, { max, ttl }) => tooManyRequests(max, Math.ceil(ttl / 1_000)),
  });
  await addTagsAndCodings(server);

  server.addHook('onRequest', (request, reply, next) => {
    reply.header('vary', 'accept-encoding');
    // Pages of other origins may read, and not post.
    if (endpointOf(request)?.method !== 'post') reply.headers(CROSS_ORIGIN);
    next();
  });
  if (ratePerMinute > 0) server.addHook('onRequest', server.rateLimit());
  server.addHook('onRequest', ({ url }, _reply, next) => {
    const isTooLong = url.length > MAX_URL_LENGTH;
    next(isTooLong ? new ProblemError(414, `The address is longer than ${MAX_URL_LENGTH} characters.`) : undefined);
  });
  const countSubmission = server.createRateLimit({ max: submissionsPerHour, timeWindow: HOUR_MS });
  addRoutes(server, { endpoints, endpointOf }, { ...options, metrics, countSubmission });
  return server;
}

function tooManyRequests(max: number, retryAfterSeconds: number): ProblemError {
  const detail = `More than ${max} requests came from this address within a minute; ask again in ${retryAfterSeconds} s.`;
  return new ProblemError(429, detail, { retryAfterSeconds });
}
