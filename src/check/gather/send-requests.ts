import { NO_RULES, parseRobots } from '../../http/robots.ts';
import { isRobotsForbidden } from '../../model/step.ts';
import type { Visit } from '../../model/visit.ts';
import { redirectsTo } from '../answers.ts';
import { type Evidence, type Exchange, REQUEST_NAMES, type RequestName, type TlsEvidence } from '../evidence.ts';
import type { Ask, HttpRequest } from './ask.ts';
import { type CheckRequest, type Known, REQUESTS } from './requests.ts';

/** What clients follow redirects of within the host (specification 4.4). */
const DOCUMENTS: ReadonlySet<RequestName> = new Set<RequestName>(['config', 'discovery', 'nodeinfo']);

/** So many at a time. */
const LANES = 4;

/** Sends what of the table is to be sent, in its order and a few at a time. */
export async function sendRequests(
  known: Omit<Known, 'answers'>,
  tls: TlsEvidence | null,
  wanted: ReadonlySet<RequestName>,
  ask: Ask,
): Promise<Evidence['answers']> {
  const answers: Partial<Record<RequestName, Exchange | null>> = {};
  const waiting = REQUESTS.filter((request) => wanted.has(request.name) && isToBeSent(request, known, tls));
  const isForbidden = forbiddenBy(known.visit);
  const underWay = new Map<RequestName, Promise<void>>();
  const whole = (asked: HttpRequest, name: RequestName) =>
    DOCUMENTS.has(name) ? follow(asked, ask, (next) => !isForbidden(next, name)) : ask(asked);
  const send = async ({ name, after, build }: CheckRequest) => {
    if (after !== undefined) await underWay.get(after);
    const asked = build({ ...known, answers });
    if (asked !== null && !isForbidden(asked, name)) answers[name] = await whole(asked, name);
  };
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const sent = send(next);
      underWay.set(next.name, sent);
      await sent;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return Object.fromEntries(REQUEST_NAMES.map((name) => [name, answers[name] ?? null])) as Evidence['answers'];
}

/** What cannot be answered, and what is none of the host's business, is not sent. */
function isToBeSent(
  { of }: CheckRequest,
  { visit, addresses }: Omit<Known, 'answers'>,
  tls: TlsEvidence | null,
): boolean {
  const { verdict, reason } = visit;
  if (addresses.length === 0) return of === 'everyone' && (reason === 'dns-nxdomain' || reason === 'dns-no-address');
  if (of === 'everyone') return true;
  const isDeaf = verdict === 'unreachable' && tls?.handshakes.every(({ failure }) => failure !== null);
  if (isDeaf === true) return false;
  return of === 'site' || (verdict !== 'other' && verdict !== 'alias');
}

/** What robots.txt forbids to who is named like us is not asked, except for itself; what is at another host, the visit judged. */
function forbiddenBy({ domain, robots, steps }: Visit): (asked: HttpRequest, name: RequestName) => boolean {
  const { rules } = robots?.body == null ? NO_RULES : parseRobots(robots.body);
  const isElsewhereForbidden = steps.some(
    ({ probe, status, code }) => probe === 'nodeinfo' && status === null && isRobotsForbidden(code),
  );
  return ({ url, target }, name) => {
    if (name === 'robots') return false;
    if (name.startsWith('nodeinfo') && url.host !== domain) return isElsewhereForbidden;
    return rules(target ?? url.pathname + url.search) === 'ours';
  };
}

/** As many as a visit follows. */
const MOST_REDIRECTS = 3;

/**
 * Sends a request, and follows redirects within the host by https, as clients do. What comes back is the last answer: a redirect still
 * where it goes in a circle, where there are too many, where it leads elsewhere, or where `mayAsk` forbids its target.
 */
export async function follow(
  asked: HttpRequest,
  ask: Ask,
  mayAsk: (asked: HttpRequest) => boolean,
): Promise<Exchange | null> {
  let exchange = await ask(asked);
  const followed: string[] = [];
  const { target: _target, ...rest } = asked;
  while (exchange !== null && followed.length < MOST_REDIRECTS) {
    const url: URL | null = redirectsTo(exchange);
    if (url === null || url.protocol !== 'https:' || url.host !== asked.url.host) break;
    if (url.href === exchange.url || followed.includes(url.href)) break;
    if (!mayAsk({ ...rest, url })) break;
    const next: Exchange | null = await ask({ ...rest, url });
    if (next === null) break;
    followed.push(exchange.url);
    exchange = { ...next, followed: [...followed] };
  }
  return exchange;
}
