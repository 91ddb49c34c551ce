import type { HttpFailure } from '../../http/failure.ts';
import type { HostAddress } from '../../http/resolver.ts';
import { NO_RULES, parseRobots } from '../../http/robots.ts';
import type { HttpResult, OpenWebClient } from '../../http/visit-client.ts';
import { type Domain, hostOf, originOf } from '../../model/domain/domain.ts';
import { isRobotsForbidden } from '../../model/step.ts';
import type { Visit } from '../../model/visit.ts';
import { redirectTargetOf } from '../answers.ts';
import { type CheckExchange, type Evidence, REQUEST_NAMES, type RequestName, type TlsEvidence } from '../evidence.ts';
import type { Budget } from './budget.ts';
import { type CheckRequest, type HttpRequest, REQUESTS, type RequestContext } from './requests.ts';

/** The documents for which clients follow redirects within the host (specification 4.4). */
const DOCUMENTS: ReadonlySet<RequestName> = new Set<RequestName>(['config', 'discovery', 'nodeinfo']);

const CONCURRENCY = 4;

/** Sends the wanted requests of `REQUESTS`, in that order and a few at a time. */
export async function sendRequests(
  context: Omit<RequestContext, 'answers'>,
  tls: TlsEvidence | null,
  wanted: ReadonlySet<RequestName>,
  send: SendRequest,
): Promise<Evidence['answers']> {
  const answers: Partial<Record<RequestName, CheckExchange | null>> = {};
  const pending = (Object.keys(REQUESTS) as RequestName[]).filter(
    (name) => wanted.has(name) && shouldSend(REQUESTS[name], context, tls),
  );
  const isForbidden = createRobotsCheck(context.visit);
  const started = new Map<RequestName, Promise<void>>();
  const sendByName = async (name: RequestName) => {
    const { after, build } = REQUESTS[name];
    if (after !== undefined) await started.get(after);
    const request = build({ ...context, answers });
    if (request === null || isForbidden(request, name)) return;
    answers[name] = await (DOCUMENTS.has(name)
      ? follow(request, send, (next) => !isForbidden(next, name))
      : send(request));
  };
  const runWorker = async () => {
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const sent = sendByName(name);
      started.set(name, sent);
      await sent;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runWorker));
  return Object.fromEntries(REQUEST_NAMES.map((name) => [name, answers[name] ?? null])) as Evidence['answers'];
}

/** Whether the host can answer a request, and its scope includes the host. */
function shouldSend(
  { scope }: CheckRequest,
  { visit, addresses }: Omit<RequestContext, 'answers'>,
  tls: TlsEvidence | null,
): boolean {
  const { verdict, reason } = visit;
  // The name with or without `www.` may have an address of its own.
  if (addresses.length === 0) return scope === 'any-host' && (reason === 'dns-nxdomain' || reason === 'dns-no-address');
  if (scope === 'any-host') return true;
  const isUnreachable = verdict === 'unreachable' && tls?.handshakes.every(({ failure }) => failure !== null);
  if (isUnreachable === true) return false;
  return scope === 'site' || (verdict !== 'other' && verdict !== 'alias');
}

/**
 * Returns a function that checks whether a robots.txt group that names Loopscout forbids a request. A request for robots.txt itself is
 * always allowed. For a NodeInfo URL on another host, the decision of the visit holds.
 */
function createRobotsCheck({ domain, robots, steps }: Visit): (request: HttpRequest, name: RequestName) => boolean {
  const { forbiddenBy } = robots?.body == null ? NO_RULES : parseRobots(robots.body);
  const isForbiddenElsewhere = steps.some(
    ({ probe, status, code }) => probe === 'nodeinfo' && status === null && isRobotsForbidden(code),
  );
  return ({ url, target }, name) => {
    if (name === 'robots') return false;
    if (name.startsWith('nodeinfo') && url.host !== domain) return isForbiddenElsewhere;
    return forbiddenBy(target ?? url.pathname + url.search) === 'named';
  };
}

/** The same limit as for a visit. */
const MAX_REDIRECTS = 3;

/**
 * Sends a request and follows redirects within the host, but never from https to http. Returns the last answer. That is a redirect when it
 * loops, leads to another host or to http, is one too many, or `canFollow` or `send` refuses the next request.
 */
export async function follow(
  request: HttpRequest,
  send: SendRequest,
  canFollow: (request: HttpRequest) => boolean,
): Promise<CheckExchange | null> {
  let exchange = await send(request);
  const followed: string[] = [];
  const { target: _target, ...withoutTarget } = request;
  while (exchange !== null && followed.length < MAX_REDIRECTS) {
    const url: URL | null = redirectTargetOf(exchange);
    if (url === null || url.host !== request.url.host) break;
    if (url.protocol !== 'https:' && url.protocol !== request.url.protocol) break;
    if (url.href === exchange.url || followed.includes(url.href)) break;
    if (!canFollow({ ...withoutTarget, url })) break;
    const next: CheckExchange | null = await send({ ...withoutTarget, url });
    if (next === null) break;
    followed.push(exchange.url);
    exchange = { ...next, followed: [...followed] };
  }
  return exchange;
}

/** Sends one request without following redirects; null when its method is not allowed, or the budget allows no further request. */
type SendRequest = (request: HttpRequest) => Promise<CheckExchange | null>;

interface RequestSenderOptions {
  openClient: OpenWebClient;
  domain: Domain;
  /** The addresses of its host, checked by the guard. */
  addresses: readonly HostAddress[];
  budget: Budget;
  /** Whether only GET requests are sent. */
  getsOnly: boolean;
}

const TIMEOUTS: ReadonlySet<HttpFailure | null> = new Set<HttpFailure>([
  'connect-timeout',
  'tls-timeout',
  'response-timeout',
  'body-timeout',
  'visit-timeout',
]);

/** After this many time-outs in a row, nothing more is sent to the server. */
const MAX_TIMEOUTS = 6;

/**
 * If this many first answers show the same problem of a proxy, nothing more is sent: later answers would show nothing else. Of the first four
 * requests to a host with both address families, one is sent over each.
 */
const FIRST_ANSWERS = 4;

/** How an answer shows that a proxy does not reach the application; null when it does not. */
function proxyProblemOf(exchange: CheckExchange): 'status 502 or 503' | 'a redirect to itself' | null {
  if (exchange.status === 502 || exchange.status === 503) return 'status 502 or 503';
  return redirectTargetOf(exchange)?.href === exchange.url ? 'a redirect to itself' : null;
}

/** Every request gets a new client, so that it opens a connection of its own. */
export function createRequestSender(options: RequestSenderOptions): SendRequest {
  const { openClient, domain, addresses, budget, getsOnly } = options;
  let timeouts = 0;
  const firstProblems: ReturnType<typeof proxyProblemOf>[] = [];
  /** Stops the check when the server asks for fewer requests, answers nothing, or only its proxy answers. */
  const stopIfPointless = ({ origin, pathname }: URL, exchange: CheckExchange) => {
    const { failure, status } = exchange;
    if (origin !== originOf(domain)) return;
    // The web server may send robots.txt itself while the application is down.
    if (pathname !== '/robots.txt' && firstProblems.length < FIRST_ANSWERS) {
      firstProblems.push(proxyProblemOf(exchange));
      const [problem] = firstProblems;
      const isShared = firstProblems.length === FIRST_ANSWERS && firstProblems.every((each) => each === problem);
      if (isShared && problem != null) budget.stop(`the first answers were all ${problem}`);
    }
    if (status === 429) budget.stop('the server asked for fewer requests (429)');
    timeouts = status === null && TIMEOUTS.has(failure) ? timeouts + 1 : 0;
    if (timeouts === MAX_TIMEOUTS) budget.stop(`${MAX_TIMEOUTS} requests in a row had no answer`);
  };

  return async (request) => {
    const { url, target, method } = request;
    if (getsOnly && method !== 'GET') return null;
    if (!budget.canSend()) return null;
    // The client resolves other hosts itself, behind the address guard.
    const client = openClient(hostOf(domain), request.addresses ?? addresses);
    const onAbort = () => client.close();
    budget.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await client.send(url, request);
      if (isOutOfTime(result) && !budget.canSend()) return null;
      const exchange = exchangeOf(method, target === undefined ? url.href : url.origin + target, result);
      stopIfPointless(url, exchange);
      return exchange;
    } finally {
      budget.signal.removeEventListener('abort', onAbort);
      client.close();
    }
  };
}

/** Whether a request ended with a time-out; one that the budget refused ends with the same failure. */
function isOutOfTime(result: HttpResult): boolean {
  return result.kind === 'failure' && result.failure === 'visit-timeout';
}

function exchangeOf(method: CheckExchange['method'], url: string, result: HttpResult): CheckExchange {
  const { status, headers = {}, ms, strictError } = result;
  const leniency = strictError === undefined ? {} : { strictError };
  const request = { method, url, status, headers, ms: Math.round(ms), followed: [], ...leniency };
  if (result.kind === 'answer') return { ...request, body: result.body, failure: null, detail: null };
  return { ...request, body: new Uint8Array(), failure: result.failure, detail: result.detail ?? null };
}
