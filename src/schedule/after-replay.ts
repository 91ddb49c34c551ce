import type { Cadence } from '../model/cadence.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { LoggedVisit, Visit } from '../model/visit.ts';
import { afterAdded } from './after-added.ts';
import { afterVisit, isRepeat } from './after-visit.ts';
import { nextVisit } from './cadence.ts';
import { isFailure } from './transition.ts';

type Counts = Pick<DomainRecord, 'failures' | 'failingSince' | 'consecutiveSameOutcome'>;

/** Creates the functions that recompute a domain from its log by today's rules. */
export function createReplayRules({
  policy,
  now,
  random,
}: {
  policy: Cadence;
  now: () => number;
  random: () => number;
}) {
  return {
    failureCountsOf,
    afterVisit: (before: DomainRecord, visit: LoggedVisit) => afterLoggedVisit(before, visit, policy),
    afterAdded: (before: DomainRecord, at: number) => afterAdded(before, at, 'a user requested a visit'),
    afterReplay: (before: DomainRecord, recomputed: DomainRecord, last: LoggedVisit) =>
      afterReplay(before, recomputed, last, now(), random(), policy),
  };
}

/**
 * Counts consecutive failures and consecutive equal outcomes. Pure.
 *
 * @param visits newest first, back to the last time that a user added the domain; read only until both counts end.
 */
function failureCountsOf(visits: Iterable<Pick<Visit, 'at' | 'verdict' | 'reason'>>, wasEverLoops: boolean): Counts {
  const counts: Counts = { failures: 0, failingSince: null, consecutiveSameOutcome: 0 };
  let last: Pick<Visit, 'verdict' | 'reason'> | null = null;
  let [isFailing, isRepeated] = [true, true];
  for (const visit of visits) {
    isFailing &&= isFailure(visit.verdict, wasEverLoops);
    isRepeated &&= last === null || isRepeat(last, visit);
    if (!isFailing && !isRepeated) break;
    if (isFailing) {
      counts.failures += 1;
      counts.failingSince = visit.at;
    }
    if (isRepeated) counts.consecutiveSameOutcome += 1;
    last = visit;
  }
  return counts;
}

/**
 * The domain after a logged visit, by today's rules. The planned next visit and the host facts stay as recorded. A visit that is a
 * failure only by today's rules restarts the failure count, so that no domain dies because of a replay. Pure.
 */
function afterLoggedVisit(before: DomainRecord, logged: LoggedVisit, policy: Cadence): DomainRecord {
  const { canonicalHost, noindex, recordedAt, state, nextVisit: planned, ...logEntry } = logged;
  const isFailureNow = isFailure(logEntry.verdict, before.wasEverLoops || logEntry.verdict === 'loops');
  const isNewFailure = isFailureNow && (state === 'active' || state === 'gone');
  const beforeVisit = isNewFailure ? { ...before, failures: 0, failingSince: null } : before;
  const visit: Visit = {
    ...logEntry,
    domain: before.domain,
    steps: logEntry.steps ?? [],
    documents: {},
    host: { ...before.host, canonicalHost },
    robots: null,
  };
  // The random number affects only the next visit, which is replaced below.
  const { host, ...after } = afterVisit(beforeVisit, visit, recordedAt, 0.5, policy);
  return {
    ...after,
    host: { ...host, noindex },
    nextVisit: planned,
    nextVisitWhy: before.nextVisitWhy,
  };
}

/**
 * The current record of a domain whose log was corrected. Its next visit stays if it is due, or if state and verdict stay; else it is
 * recomputed from the start of the last visit, but not before `now`. Pure.
 *
 * @param recomputed the record computed from its log, which ends with `last`.
 */
function afterReplay(
  present: DomainRecord,
  recomputed: DomainRecord,
  last: LoggedVisit,
  now: number,
  random: number,
  policy: Cadence,
): DomainRecord {
  const after = {
    ...recomputed,
    host: { ...present.host, canonicalHost: recomputed.host.canonicalHost },
    nextVisit: present.nextVisit,
    nextVisitWhy: present.nextVisitWhy,
  };
  const isDue = present.nextVisit !== null && present.nextVisit <= now;
  if (isDue || (after.state === present.state && after.verdict === present.verdict)) return after;
  const next = nextVisit(after, { ...last, steps: last.steps ?? [] }, last.at, random, policy);
  return { ...after, nextVisit: Math.max(now, next.at), nextVisitWhy: next.why };
}
