import { type Cadence, INTERVALS, type IntervalName, intervalHours } from '../../model/cadence.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import { isLiveInstance } from '../../model/instance-record.ts';
import { RECENTLY_DEAD_MS } from '../../model/priority.ts';
import { isCutByOurLimits, type Reason } from '../../model/reason.ts';
import { underlyingReason } from '../../model/step.ts';
import { HOUR_MS } from '../../model/time.ts';
import type { Visit } from '../../model/visit.ts';

/** When the next visit is due, in milliseconds since the epoch, and why, as text. */
export interface NextVisit {
  at: number;
  why: string;
}

/** The properties of a domain that decide its next visit. */
export interface SchedulingInput
  extends Pick<
    DomainRecord,
    'state' | 'stateSince' | 'identifiedAs' | 'failures' | 'failingSince' | 'consecutiveSameOutcome'
  > {
  /** It was added together with many others, and this was its first visit. */
  addedInBulk?: boolean;
}

const DAY_HOURS = 24;
/** Only waits of at least this length are spread; shorter ones soon spread by themselves. */
const SPREAD_FROM_HOURS = 24;

/**
 * When a domain is visited next. Pure: the same record, visit, time and random number give the same answer.
 *
 * @param after the domain after the visit, except for its next visit.
 * @param visit if it has no steps, a robots.txt that could not be fetched counts as a server error.
 * @param random in [0, 1).
 */
export function nextVisit(
  after: SchedulingInput,
  visit: Pick<Visit, 'verdict' | 'reason' | 'retryAfterMs'> & Partial<Pick<Visit, 'steps'>>,
  now: number,
  random: number,
  cadence: Cadence,
): NextVisit {
  const isInstance = isLiveInstance(after);
  const { hours, why, doubles, isMinimum } = intervalAfterVisit(after, visit, now, cadence);
  const doubled = doubles
    ? Math.min(hours * 2 ** (after.consecutiveSameOutcome - 1), Math.max(hours, cadence.maxHours))
    : hours;
  // Domains that were added together must not stay together: their first wait is 10 % to 110 % of the interval.
  const isSpread = (after.addedInBulk ?? false) && doubled >= SPREAD_FROM_HOURS;
  const drawn = doubled * HOUR_MS * (isSpread ? 0.1 + random : 1 + cadence.jitter * (2 * random - 1));
  const jittered = isMinimum
    ? Math.max(drawn, hours * HOUR_MS)
    : isInstance
      ? Math.min(drawn, Math.max(hours, DAY_HOURS) * HOUR_MS)
      : drawn;
  const retryAfterMs = visit.retryAfterMs ?? 0;
  const isDeclined = isInstance && visit.verdict === 'declined';
  const askedMs =
    isDeclined && retryAfterMs > 0 ? Math.max(retryAfterMs, cadence.rateLimitedHours * HOUR_MS) : retryAfterMs;
  if (isDeclined ? askedMs === 0 : askedMs <= jittered) {
    const whyDoubled = doubled > hours ? `${why}, doubled to ${doubled} h` : why;
    const whySpread = isSpread
      ? `${whyDoubled}; the first wait is random, because the domain was added with many others`
      : whyDoubled;
    return { at: Math.round(now + jittered), why: whySpread };
  }
  // A listed instance that is down is visited at least once a day.
  const maxWaitMs = (isInstance && !isDeclined ? Math.min(DAY_HOURS, cadence.maxHours) : cadence.maxHours) * HOUR_MS;
  return {
    at: Math.round(now + Math.min(askedMs, maxWaitMs)),
    why: askedMs > maxWaitMs ? 'Retry-After, cut to the longest interval' : 'as Retry-After asks',
  };
}

interface Interval {
  hours: number;
  why: string;
  doubles: boolean;
  /** The wait is never made shorter than `hours`. */
  isMinimum?: boolean;
}

/** After this wait, no contact counts any more that was within the limit of the host. */
const CUT_BY_OUR_LIMITS: Interval = {
  ...{ hours: 1, why: 'another host that the visit needs is at its hourly limit', doubles: false, isMinimum: true },
};

function intervalOf(cadence: Cadence, name: IntervalName, what: string): Interval {
  const hours = intervalHours(cadence, name);
  const doubles = INTERVALS[name] === 'doubles';
  const wait = hours < 1 ? `${Math.round(hours * 60)} min` : `${hours} h`;
  return { hours, why: `${what}: ${doubles || hours < 1 ? 'after' : 'every'} ${wait}`, doubles };
}

function intervalAfterVisit(
  after: SchedulingInput,
  visit: Pick<Visit, 'verdict' | 'reason'> & Partial<Pick<Visit, 'steps'>>,
  now: number,
  cadence: Cadence,
): Interval {
  if (isCutByOurLimits(visit.reason)) return CUT_BY_OUR_LIMITS;
  if (isLiveInstance(after)) return instanceInterval(after, visit, now, cadence);
  return intervalFor(after, visit.verdict, underlyingReason(visit.reason, visit.steps ?? null), now, cadence);
}

/** Instances that people look up are visited often, whatever their visits return. */
function instanceInterval(
  after: SchedulingInput,
  { verdict, reason }: Pick<Visit, 'verdict' | 'reason'>,
  now: number,
  cadence: Cadence,
): Interval {
  if (verdict === 'loops') return intervalOf(cadence, 'loopsHours', 'a Loops server');
  const isDown = after.state === 'failing';
  if (verdict === 'declined' && !(isDown && reason === 'rate-limited'))
    return intervalOf(cadence, 'declinedInstanceHours', 'a visit that says nothing about a Loops server');
  if (!isDown) return intervalOf(cadence, 'confirmMinutes', 'a failure to confirm');
  if (verdict !== 'unreachable') return intervalOf(cadence, 'downHours', 'down, but it answers');
  const isFirstDay = now - (after.failingSince ?? now) < DAY_HOURS * HOUR_MS;
  return isFirstDay
    ? intervalOf(cadence, 'downFirstDayHours', 'down, on the first day')
    : intervalOf(cadence, 'downHours', 'down');
}

function intervalFor(
  after: SchedulingInput,
  verdict: Visit['verdict'],
  reason: Reason,
  now: number,
  cadence: Cadence,
): Interval {
  const interval = (name: IntervalName, what: string) => intervalOf(cadence, name, what);
  if (after.state === 'dead') {
    const isRecentInstance = after.identifiedAs === 'loops' && now - after.stateSince < RECENTLY_DEAD_MS;
    return isRecentInstance ? interval('deadInstanceHours', 'dead, once Loops') : interval('deadHours', 'dead');
  }
  switch (verdict) {
    case 'loops':
      return interval('loopsHours', 'a Loops server');
    case 'other':
      return interval('otherHours', 'other software');
    case 'alias':
      return interval('aliasHours', 'an alias');
    case 'unidentified':
      return interval('unidentifiedHours', 'unidentified');
    case 'declined':
      if (reason === 'gone') return interval('goneHours', '410 Gone');
      if (reason === 'rate-limited')
        return { ...interval('rateLimitedHours', '429 Too Many Requests'), isMinimum: true };
      if (reason === 'forbidden-address') return interval('forbiddenAddressHours', 'forbidden address');
      return interval('robotsHours', 'robots.txt');
    case 'unreachable': {
      const failure = failureClassOf(reason);
      return interval(intervalAfter(failure), failure);
    }
  }
}

/** The failure classes, each with its own interval. */
export type FailureClass =
  | 'no such name'
  | 'DNS failure'
  | 'TLS failure'
  | 'server error'
  | 'no connection'
  | 'time-out';

export function failureClassOf(reason: Reason): FailureClass {
  if (reason === 'dns-nxdomain') return 'no such name';
  if (reason.startsWith('dns-')) return 'DNS failure';
  if (reason.startsWith('tls-')) return 'TLS failure';
  if (reason === 'http-5xx' || reason === 'robots-unreachable' || reason === 'invalid-http') return 'server error';
  if (reason === 'connect-refused' || reason === 'connection-reset' || reason === 'no-route') return 'no connection';
  return 'time-out';
}

function intervalAfter(failure: FailureClass): IntervalName {
  switch (failure) {
    case 'no such name':
      return 'nxdomainHours';
    case 'DNS failure':
      return 'dnsFailureHours';
    case 'TLS failure':
      return 'tlsHours';
    case 'server error':
      return 'serverErrorHours';
    case 'no connection':
      return 'connectHours';
    case 'time-out':
      return 'timeoutHours';
  }
}
