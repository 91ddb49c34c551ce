import type { Domain } from '../domain/domain.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import type { Visit } from '../record/visit.ts';
import type { SchedulePolicy } from './after-visit.ts';
import { nextVisit } from './cadence.ts';
import { isConclusive } from './is-conclusive.ts';
import { isFailure } from './is-failure.ts';
import { type Happening, transition } from './transition.ts';

/** A visit as today's parsers read it. */
export type ReplayedVisit = Pick<
  Visit,
  'at' | 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf' | 'retryAfterMs'
>;

/** What the visits of a domain come to today. */
export interface ReplayedHistory {
  /** Newest first: the last visit that says what the host is, and those after it; all of them when none says it. Never empty. */
  recent: readonly ReplayedVisit[];
  /** What is known of the domain rested on a visit that says nothing of it any more, and no other does. */
  isUnknownNow: boolean;
  onceLoops: boolean;
  /** Where a Loops instance points; undefined when that cannot be told, or it is none. */
  pointsTo: Domain | null | undefined;
}

/**
 * The domain as its visits leave it, read by today's parsers: its state, what is known of it, and its next visit, which is due now
 * where the interval of its new verdict has passed, and stays due where it was. What the visits do not tell stays. Reading alone lets no domain die. Pure.
 */
export function afterReplay(
  before: DomainRecord,
  { recent, isUnknownNow, onceLoops, pointsTo }: ReplayedHistory,
  now: number,
  random: number,
  policy: SchedulePolicy,
): DomainRecord {
  const [last] = recent;
  if (last === undefined || before.state === 'opted-out') return before;
  const told = recent.find(({ verdict }) => isConclusive(verdict)) ?? (isUnknownNow ? UNKNOWN : null);
  const known: DomainRecord = {
    ...before,
    onceLoops,
    verdict: last.verdict,
    reason: last.reason,
    repeats: last.verdict === before.verdict ? before.repeats : 1,
    ...(told === null
      ? {}
      : {
          conclusive: isConclusive(told.verdict) ? told.verdict : null,
          via: told.via,
          software: told.software,
          version: told.version,
          aliasOf: told.aliasOf,
        }),
    host: pointsTo === undefined ? before.host : { ...before.host, pointsTo },
  };
  const after = withState(known, recent, now, policy);
  const isDue = before.nextVisit !== null && before.nextVisit <= now;
  if (isDue || (after.state === before.state && after.verdict === before.verdict)) return after;
  const next = nextVisit(after, last, last.at, random, policy);
  return { ...after, nextVisit: Math.max(now, next.at), nextVisitWhy: next.why };
}

const UNKNOWN = { verdict: null, via: null, software: null, version: null, aliasOf: null };

/** The failures that are left, and the state that they make. */
function withState(
  before: DomainRecord,
  recent: readonly ReplayedVisit[],
  now: number,
  policy: SchedulePolicy,
): DomainRecord {
  const success = recent.findIndex(({ verdict }) => !isFailure(verdict, before.onceLoops));
  const run = success === -1 ? recent : recent.slice(0, success);
  const [last] = recent;
  const first = run.at(-1);
  if (last === undefined) return before;

  if (first === undefined) {
    if (before.failures === 0) return before;
    const { at, reason } = last;
    const after = { ...before, lastSeen: at, failures: 0, failingSince: null };
    return moved(before, after, { what: 'succeeded', at, reason }, at, now, policy);
  }
  const { at, reason } = last;
  if (before.failures === 0) {
    // How often visits failed that did not when they were made is not held against the host.
    const after = { ...before, lastSeen: recent[success]?.at ?? null, failures: 1, failingSince: at };
    return moved(before, after, { what: 'failed', at, reason, failures: 1, failingSince: at }, at, now, policy);
  }
  const isAll = success === -1 || run.length >= before.failures;
  if (isAll) return before;
  const after = { ...before, lastSeen: recent[success]?.at ?? null, failures: run.length, failingSince: first.at };
  const failures = { failures: after.failures, failingSince: first.at };
  // Judged anew: a domain is not dead by failures that were none.
  const judged = before.state === 'dead' ? { ...before, state: 'active' as const } : before;
  return moved(judged, after, { what: 'failed', at, reason, ...failures }, at, now, policy);
}

/** @param at when the state began, if it is another. */
function moved(
  from: DomainRecord,
  after: DomainRecord,
  happened: Happening,
  at: number,
  now: number,
  policy: SchedulePolicy,
): DomainRecord {
  // Asked for by name since, and waiting for a visit.
  if (after.state === 'new') return after;
  const { state, why } = transition(from, happened, now, policy);
  return state === after.state ? after : { ...after, state, stateSince: at, stateWhy: why };
}
