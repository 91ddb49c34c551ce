import { NO_RULES, parseRobots } from '../../http/robots.ts';
import { isRobotsForbidden } from '../../model/step.ts';
import type { Visit } from '../../model/visit.ts';
import { redirectTargetOf } from '../answers.ts';
import { type CheckExchange, type Evidence, REQUEST_NAMES, type RequestName, type TlsEvidence } from '../evidence.ts';
import type { HttpRequest, SendRequest } from './request-sender.ts';
import { type CheckRequest, REQUESTS, type RequestContext } from './requests.ts';

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
  const pending = REQUESTS.filter((row) => wanted.has(row.name) && shouldSend(row, context, tls));
  const isForbidden = createRobotsCheck(context.visit);
  const started = new Map<RequestName, Promise<void>>();
  const sendRow = async ({ name, after, build }: CheckRequest) => {
    if (after !== undefined) await started.get(after);
    const request = build({ ...context, answers });
    if (request === null || isForbidden(request, name)) return;
    answers[name] = await (DOCUMENTS.has(name)
      ? follow(request, send, (next) => !isForbidden(next, name))
      : send(request));
  };
  const runWorker = async () => {
    for (let row = pending.shift(); row !== undefined; row = pending.shift()) {
      const sent = sendRow(row);
      started.set(row.name, sent);
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
