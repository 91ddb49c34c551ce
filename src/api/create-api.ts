import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Answer, problemAnswer } from './answers/answer.ts';
import { createAnswerCache } from './answers/answer-cache.ts';
import { answerClientError } from './answers/client-error.ts';
import { createSender } from './answers/create-sender.ts';
import { ProblemError } from './answers/problem-error.ts';
import { toProblemError } from './answers/to-problem-error.ts';
import type { ApiContext } from './api-context.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointsOf } from './endpoints/endpoints.ts';
import { clientOf } from './guard/client-of.ts';
import { commonHeaders } from './guard/common-headers.ts';
import { createRateLimiter, type Spent } from './guard/rate-limiter.ts';
import { createStrangerAnswer } from './guard/stranger-answer.ts';
import { createMetrics } from './metrics/metrics.ts';

export interface ApiOptions extends Omit<ApiContext, 'metrics' | 'takeSubmission'> {
  /** Is told of faults of ours; requests are counted, not logged. */
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
  readonly version: string;
  /** Requests a minute from one address; 0: any number. */
  readonly ratePerMinute: number;
  /** Domains that one address may hand in an hour, at least 1. */
  readonly submissionsPerHour: number;
  /** Whether the address that asks is the one that a proxy tells. */
  readonly trustProxy: boolean;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
}

/** How long a request may take to come, and how long a connection may be without one. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node looks for requests that took too long. */
const LOOK_EVERY_MS = 2_000;
/** A cursor, a range and some lists are well below. */
const LONGEST_URL = 4_096;
const HOUR_MS = 3_600_000;
/** Of what is posted; a domain is well below. */
const LONGEST_BODY_BYTES = 1_024;
/** A domain with a port is below; what is longer is no domain. */
const LONGEST_PARAMETER = 300;
const TOO_LONG = problemAnswer(new ProblemError(414, `The address is longer than ${LONGEST_URL} characters.`));

/** What such answers are made from is never the same, but what they say may be. */
const MADE_EACH_TIME = {};

/** A request, and what is known of it when it begins. */
interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Of the endpoint; undefined when there is none. */
  readonly path?: string;
  readonly startedAt: number;
  readonly spent: Spent | null;
}

/** The HTTP side of the service; the caller has it listen, and closes it. */
export async function createApi(options: ApiOptions): Promise<FastifyInstance> {
  const { logger, version, ratePerMinute, submissionsPerHour, trustProxy, clock } = options;
  const metrics = createMetrics(version);
  const takeSubmission = createRateLimiter(submissionsPerHour, clock, HOUR_MS);
  if (takeSubmission === null) throw new RangeError('submissionsPerHour is 0, and must be at least 1');
  const context: ApiContext = { ...options, metrics, takeSubmission };
  const common = await commonHeaders();
  const write = createSender(common.read);
  const writePosted = createSender(common.posted);
  const spend = createRateLimiter(ratePerMinute, clock);
  const endpoints = endpointsOf(version);
  const strangerAnswer = createStrangerAnswer(endpoints);
  const postedPaths = new Set(endpoints.filter(({ method }) => method === 'post').map(({ path }) => path));
  const cache = createAnswerCache();

  const send = ({ request, reply, path, startedAt, spent }: Asked, answer: Answer) => {
    const isPosted = postedPaths.has(request.url.split('?', 1)[0] ?? '');
    const status = (isPosted ? writePosted : write)(request, reply, answer, spent);
    metrics.count({ path, method: request.method, status, seconds: (clock() - startedAt) / 1_000 });
  };
  const fail = (asked: Asked, error: unknown) => {
    const problem = toProblemError(error);
    const { method, url } = asked.request;
    if (problem.status >= 500) logger.error({ err: error, method, url }, problem.message);
    send(asked, problemAnswer(problem));
  };
  const failUnasked = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    fail({ request, reply, startedAt: clock(), spent: null }, error);
  /** Null when it is answered already: too many, or too long. */
  const begin = (request: FastifyRequest, reply: FastifyReply, one?: Endpoint): Asked | null => {
    const spent = spend === null || one?.isUnlimited === true ? null : spend(clientOf(request.ip));
    const asked = { request, reply, startedAt: clock(), spent, ...(one === undefined ? {} : { path: one.path }) };
    if (spent?.isTooMany === true) send(asked, tooMany(spent));
    else if (request.url.length > LONGEST_URL) send(asked, TOO_LONG);
    else return asked;
    return null;
  };
  const answerOf = (one: Endpoint, request: FastifyRequest): Answer | Promise<Answer> => {
    const { params: parameters, query, body } = request;
    const from = one.madeFrom?.(context) ?? null;
    const ready = from === null ? undefined : cache.get(request.url, from);
    if (ready !== undefined) return ready;
    const answer = one.respond({ parameters, query, body, client: clientOf(request.ip) }, context);
    if (answer instanceof Promise || (from === null && answer.datedBytes === 0)) return answer;
    return cache.keep(request.url, from ?? MADE_EACH_TIME, answer);
  };

  const server: FastifyInstance = fastify({
    // One line for each request would drown what the crawler says.
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: LOOK_EVERY_MS },
    keepAliveTimeout: REQUEST_TIMEOUT_MS,
    // A client that keeps its connection open does not hold up the end of the service.
    forceCloseConnections: true,
    return503OnClosing: false,
    // One proxy: the last address in X-Forwarded-For is what it saw; those before are what a client wrote.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: LONGEST_BODY_BYTES,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    frameworkErrors: failUnasked,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, common.read),
  });
  // A page of another origin may post text without asking; JSON it may not.
  server.removeContentTypeParser('text/plain');
  server.setErrorHandler(failUnasked);
  server.setNotFoundHandler(() => {});
  // Before a body is looked at: nothing that is not there takes one, so none can be wrong.
  server.addHook('onRequest', (request, reply, next) => {
    if (!request.is404) return next();
    const asked = begin(request, reply);
    if (asked !== null) send(asked, strangerAnswer(request.method, request.url));
  });
  for (const one of endpoints) {
    server[one.method ?? 'get'](routeOf(one.path), (request, reply) => {
      const asked = begin(request, reply, one);
      if (asked === null) return;
      try {
        const answer = answerOf(one, request);
        if (!(answer instanceof Promise)) return send(asked, answer);
        answer.then(
          (ready) => send(asked, ready),
          (error: unknown) => fail(asked, error),
        );
      } catch (error) {
        fail(asked, error);
      }
    });
  }
  return server;
}

function tooMany({ limit, resetSeconds }: Spent): Answer {
  const detail = `More than ${limit} requests came from this address within a minute; ask again in ${resetSeconds} s.`;
  return problemAnswer(new ProblemError(429, detail, { retryAfterSeconds: resetSeconds }));
}

/** A path of OpenAPI as the router writes it. */
function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
