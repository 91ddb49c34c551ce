import { isHostWide } from '../http/failure.ts';
import { isCompleteRobots, NO_RULES, parseRobots, type Robots, withoutPartialLine } from '../http/robots.ts';
import type { CachedRobots } from '../model/domain-record.ts';
import { DAY_MS } from '../model/time.ts';
import type { RobotsRules, VisitRequests } from './ask.ts';
import { type Decision, declined, unreachable } from './decision.ts';
import type { RobotsMode } from './visit-context.ts';

export interface RobotsResult {
  rules: RobotsRules;
  /** Whether a group that names us forbids the site or its config endpoint. */
  isClosedToUs: boolean;
  /** Whether this visit read a complete robots.txt, or the mode is `off`. */
  isRead: boolean;
  /** Crawl-delay in milliseconds, capped. */
  delayMs: number;
  /** The robots.txt fetched by this visit; null when the cached one is still valid, or the mode is `off`. */
  fetched: CachedRobots | null;
}

/** RFC 9309 section 2.4: a robots.txt is not used for longer than a day. */
const CACHE_MS = DAY_MS;
/**
 * Caps the Crawl-delay, since a visit reads only four documents, and holds a slot while it waits. (GoToSocial ships 500 s, meant for
 * crawlers that fetch page after page.)
 */
const MAX_DELAY_MS = 5_000;

/** The config endpoint (specification, endpoint 7). */
export const CONFIG_PATH = '/api/v1/config';

/** robots.txt itself may always be requested. */
const ALLOW_ALL: RobotsRules = { refusalOf: () => null };

/**
 * Reads the robots.txt of a host. A returned decision forbids all further requests. RFC 9309: a 4xx (here except 429, which
 * ends the visit) or a redirect that is not followed allows all, a 5xx or no readable answer forbids all.
 *
 * @param cached the robots.txt of an earlier visit to this origin.
 */
export async function readRobots(
  requests: VisitRequests,
  origin: string,
  cached: CachedRobots | null,
): Promise<RobotsResult | Decision> {
  const { robots: mode, now } = requests.context;
  if (mode === 'off') return { rules: ALLOW_ALL, isClosedToUs: false, isRead: true, delayMs: 0, fetched: null };
  const age = cached === null ? Number.POSITIVE_INFINITY : now() - cached.readAt;
  if (cached !== null && age >= 0 && age < CACHE_MS) return evaluate(cached.body, mode, null);

  const readAt = now();
  const answer = await requests.ask('robots', new URL('/robots.txt', origin), ALLOW_ALL);
  if (answer.kind === 'document') return evaluate(answer.body, mode, readAt);
  // A redirect may have led to another host, whose 429 or failure is not that of this one.
  const isHere = URL.parse(requests.builder.steps.at(-1)?.url ?? '')?.origin === origin;
  if (answer.kind === 'status') {
    if (answer.status === 429 && isHere) return declined('rate-limited', answer.retryAfterMs);
    if (answer.status === 429 || answer.status >= 500) return unreachable('robots-unreachable', answer.retryAfterMs);
  }
  if (answer.kind === 'failure') {
    if (answer.failure === 'forbidden-address') return declined(answer.failure);
    return unreachable(isHostWide(answer.failure) && isHere ? answer.failure : 'robots-unreachable');
  }
  return evaluate(null, mode, readAt);
}

function evaluate(body: Uint8Array | null, mode: Exclude<RobotsMode, 'off'>, readAt: number | null): RobotsResult {
  const robots = body === null ? NO_RULES : parseRobots(body);
  const delayMs = Math.min(MAX_DELAY_MS, (robots.crawlDelaySeconds ?? 0) * 1_000);
  const isClosedToUs =
    robots.group === 'named' && ['/', CONFIG_PATH].some((target) => robots.forbiddenBy(target) !== null);
  const isRead = readAt !== null && body !== null && isCompleteRobots(body);
  const fetched = readAt === null ? null : { readAt, body: body === null ? null : withoutPartialLine(body) };
  return { rules: rulesOf(robots, mode), isClosedToUs, isRead, delayMs, fetched };
}

function rulesOf({ forbiddenBy }: Robots, mode: RobotsMode): RobotsRules {
  return {
    refusalOf(probe, target) {
      const by = forbiddenBy(target);
      if (by === 'named') return { code: 'forbidden-to-us', note: 'not requested: robots.txt forbids it to Loopscout' };
      if (by === 'everyone' && (mode === 'strict' || probe !== 'config'))
        return { code: 'forbidden-to-all', note: 'not requested: robots.txt forbids it to everyone' };
      return null;
    },
  };
}
