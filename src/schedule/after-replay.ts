import type { Cadence } from '../model/cadence.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { LoggedVisit, Visit } from '../model/visit.ts';
import { afterAdded } from './after-added.ts';
import { afterVisit, isRepeat } from './after-visit.ts';
import { nextVisit } from './cadence.ts';
import { isFailure } from './transition.ts';

type Counts = Pick<DomainRecord, 'failures' | 'failingSince' | 'consecutiveSameOutcome'>;

/** How a log makes a domain today. */
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
    countsAfter,
    afterVisit: (before: DomainRecord, visit: LoggedVisit) => afterLoggedVisit(before, visit, policy),
    afterAdded: (before: DomainRecord, at: number) => afterAdded(before, at, 'asked for by name'),
    afterReplay: (before: DomainRecord, folded: DomainRecord, last: LoggedVisit) =>
      afterReplay(before, folded, last, now(), random(), policy),
  };
}

/**
 * The failures and the equal outcomes in a row that some visits leave. Pure.
 *
 * @param visits newest first, as far back as nobody asked for the domain by name; read only as far as they count.
 */
function countsAfter(visits: Iterable<Pick<Visit, 'at' | 'verdict' | 'reason'>>, onceLoops: boolean): Counts {
  const counts: Counts = { failures: 0, failingSince: null, consecutiveSameOutcome: 0 };
  let last: Pick<Visit, 'verdict' | 'reason'> | null = null;
  let [isFailing, isRepeated] = [true, true];
  for (const visit of visits) {
    isFailing &&= isFailure(visit.verdict, onceLoops);
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
 * The domain as a visit of the log leaves it, by today's rules; what was planned and what was learnt of the host stay as they were
 * recorded. A failure that was none when the visit was made begins the count anew: no domain dies by a replay alone. Pure.
 */
function afterLoggedVisit(before: DomainRecord, logged: LoggedVisit, policy: Cadence): DomainRecord {
  const { canonicalHost, noindex, recordedAt, state, nextVisit: planned, ...said } = logged;
  const isFailureNow = isFailure(said.verdict, before.onceLoops || said.verdict === 'loops');
  const isNewFailure = isFailureNow && (state === 'active' || state === 'gone');
  const counted = isNewFailure ? { ...before, failures: 0, failingSince: null } : before;
  const visit: Visit = {
    ...said,
    domain: before.domain,
    steps: said.steps ?? [],
    documents: {},
    host: { ...before.host, canonicalHost },
    robots: null,
  };
  const { host, ...after } = afterVisit(counted, visit, recordedAt, 0.5, policy);
  return {
    ...after,
    host: { ...host, noindex },
    nextVisit: planned,
    nextVisitWhy: before.nextVisitWhy,
  };
}

/**
 * The present of a domain whose log was corrected: due now where the interval of its new verdict has passed, and still due where it
 * was. Pure.
 *
 * @param folded what its log comes to, which ends with `last`.
 */
function afterReplay(
  present: DomainRecord,
  folded: DomainRecord,
  last: LoggedVisit,
  now: number,
  random: number,
  policy: Cadence,
): DomainRecord {
  const after = {
    ...folded,
    host: { ...present.host, canonicalHost: folded.host.canonicalHost },
    nextVisit: present.nextVisit,
    nextVisitWhy: present.nextVisitWhy,
  };
  const isDue = present.nextVisit !== null && present.nextVisit <= now;
  if (isDue || (after.state === present.state && after.verdict === present.verdict)) return after;
  const next = nextVisit(after, { ...last, steps: last.steps ?? [] }, last.at, random, policy);
  return { ...after, nextVisit: Math.max(now, next.at), nextVisitWhy: next.why };
}
