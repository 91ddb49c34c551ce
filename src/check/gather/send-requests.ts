import { NO_RULES, parseRobots } from '../../http/robots.ts';
import { isRobotsForbidden } from '../../record/step.ts';
import type { Visit } from '../../record/visit.ts';
import type { Evidence, TlsEvidence } from '../evidence.ts';
import type { Exchange } from '../exchange.ts';
import { REQUEST_NAMES, type RequestName } from '../request-name.ts';
import type { Ask, Asked } from './ask.ts';
import type { CheckRequest } from './check-request.ts';
import { follow } from './follow.ts';
import type { Known } from './known.ts';
import { REQUESTS } from './requests.ts';

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
  const whole = (asked: Asked, name: RequestName) =>
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
function forbiddenBy({ domain, robots, steps }: Visit): (asked: Asked, name: RequestName) => boolean {
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
