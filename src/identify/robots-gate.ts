import { isHostWide } from '../http/failure.ts';
import { isCompleteRobots, NO_RULES, parseRobots, type Robots, withoutPartialLine } from '../http/robots.ts';
import type { CachedRobots } from '../model/domain-record.ts';
import type { Ask, RobotsGate } from './ask.ts';
import { type Decision, declined, unreachable } from './decision.ts';

/**
 * How robots.txt is obeyed. `standard`: a group that names our token for everything, the `*` group for everything but the
 * config endpoint, which the service documents as public for exactly this use. `strict`: both, for everything. `off`: for
 * one's own servers.
 */
export type RobotsMode = 'standard' | 'strict' | 'off';

export interface RobotsResult {
  gate: RobotsGate;
  /** Whether it names us, and closes the site or its config endpoint to us. */
  isClosedToUs: boolean;
  /** Whether a robots.txt was read now, and whole: no page in its place, and not cut off. */
  isRead: boolean;
  /** How long the host wants to be left alone between requests (Crawl-delay), in milliseconds. */
  restMs: number;
  /** What was read now; null when the one kept still holds. */
  read: CachedRobots | null;
}

export interface RobotsContext {
  ask: Ask;
  origin: string;
  mode: RobotsMode;
  /** What an earlier visit read. */
  kept?: CachedRobots | null | undefined;
  now: () => number;
}

/** RFC 9309 section 2.4: a robots.txt is not used for longer than a day. */
const HOLDS_MS = 24 * 3_600_000;
/**
 * A longer Crawl-delay is cut to this: a visit makes four requests at most, days apart from the next, and holds a place while
 * it waits. (GoToSocial ships 500 s, meant for those who fetch page after page.)
 */
const LONGEST_REST_MS = 5_000;

/** Where the service tells its configuration (specification, endpoint 7). */
export const CONFIG_PATH = '/api/v1/config';

/** What robots.txt itself may be asked for by. */
const OPEN: RobotsGate = () => null;

/** Reads the robots.txt of a host; a decision means that nothing else is asked of it. RFC 9309: 4xx allows all, 5xx and silence nothing. */
export async function readRobots({ ask, origin, mode, kept, now }: RobotsContext): Promise<RobotsResult | Decision> {
  if (mode === 'off') return { gate: OPEN, isClosedToUs: false, isRead: true, restMs: 0, read: null };
  const age = kept == null ? Number.POSITIVE_INFINITY : now() - kept.readAt;
  if (kept != null && age >= 0 && age < HOLDS_MS) return reading(kept.body, mode, null);

  const readAt = now();
  const answer = await ask('robots', new URL('/robots.txt', origin), OPEN);
  if (answer.kind === 'document') return reading(answer.body, mode, readAt);
  if (answer.kind === 'status') {
    if (answer.status >= 500) return unreachable('robots-unreachable', answer.retryAfterMs);
    if (answer.status === 429) return declined('rate-limited', answer.retryAfterMs);
  }
  if (answer.kind === 'failure') {
    if (answer.failure === 'forbidden-address') return declined(answer.failure);
    return unreachable(isHostWide(answer.failure) ? answer.failure : 'robots-unreachable');
  }
  return reading(null, mode, readAt);
}

function reading(body: Uint8Array | null, mode: 'standard' | 'strict', readAt: number | null): RobotsResult {
  const robots = body === null ? NO_RULES : parseRobots(body);
  const restMs = Math.min(LONGEST_REST_MS, (robots.crawlDelaySeconds ?? 0) * 1_000);
  const isClosedToUs = ['/', CONFIG_PATH].some((target) => robots.rules(target) === 'ours');
  const isRead = readAt !== null && body !== null && isCompleteRobots(body);
  const read = readAt === null ? null : { readAt, body: body === null ? null : withoutPartialLine(body) };
  return { gate: gateOf(robots, mode), isClosedToUs, isRead, restMs, read };
}

function gateOf({ rules }: Robots, mode: RobotsMode): RobotsGate {
  return (probe, target) => {
    const by = rules(target);
    if (by === 'ours') return { code: 'forbidden-to-us', note: 'not asked: robots.txt forbids it to Loopscout' };
    if (by === 'everyone' && (mode === 'strict' || probe !== 'config'))
      return { code: 'forbidden-to-all', note: 'not asked: robots.txt forbids it to everyone' };
    return null;
  };
}
