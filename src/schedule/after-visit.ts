import type { DomainRecord } from '../record/domain-record.ts';
import type { DomainState } from '../record/domain-state.ts';
import type { HostFacts } from '../record/host-facts.ts';
import type { Visit } from '../record/visit.ts';
import { type Cadence, failureClassOf, nextVisit } from './cadence.ts';

export interface SchedulePolicy extends Cadence {
  /** A failing domain is dead once it has failed more often than this in a row, and for longer than `deadAfterDays`. */
  deadAfterFailures: number;
  deadAfterDays: number;
}

const DAY_MS = 86_400_000;

/** The domain as a visit leaves it: its state, what is known of it, and when it is visited next. Pure. */
export function afterVisit(
  before: DomainRecord,
  visit: Visit,
  now: number,
  random: number,
  policy: SchedulePolicy,
): DomainRecord {
  const { verdict, reason } = visit;
  const onceLoops = before.onceLoops || verdict === 'loops';
  const isFailure = verdict === 'unreachable' || (verdict === 'unidentified' && onceLoops);
  const failures = isFailure ? before.failures + 1 : 0;
  const failingSince = isFailure ? (before.failingSince ?? visit.at) : null;
  const isConclusive = verdict === 'loops' || verdict === 'other' || verdict === 'alias';

  const after: DomainRecord = {
    ...before,
    state: stateAfter(isFailure, reason === 'gone', failures, failingSince, now, policy),
    verdict,
    reason,
    conclusive: isConclusive ? verdict : before.conclusive,
    onceLoops,
    // What is known of a host outlives a visit that learnt nothing.
    via: isConclusive ? visit.via : before.via,
    software: isConclusive ? visit.software : before.software,
    version: isConclusive ? visit.version : before.version,
    aliasOf: isConclusive ? visit.aliasOf : before.aliasOf,
    lastVisit: visit.at,
    // A host whose address is forbidden to us was never contacted.
    lastSeen: isFailure || reason === 'forbidden-address' ? before.lastSeen : visit.at,
    failures,
    failingSince,
    repeats: isRepeat(before, visit) ? before.repeats + 1 : 1,
    host: hostAfter(before.host, visit),
  };
  const next = nextVisit(after, visit, now, random, policy);
  return { ...after, nextVisit: next.at, nextVisitWhy: next.why };
}

/** What a visit did not learn of the host stays as it was; where it points is said anew by each visit that finds Loops. */
function hostAfter(before: HostFacts, { host, verdict }: Visit): HostFacts {
  return {
    ipv4: host.ipv4 ?? before.ipv4,
    ipv6: host.ipv6 ?? before.ipv6,
    tlsExpires: host.tlsExpires ?? before.tlsExpires,
    noindex: host.noindex ?? before.noindex,
    pointsTo: verdict === 'loops' ? host.pointsTo : before.pointsTo,
  };
}

/** Whether a visit ended as the one before: the same verdict, and of failures the same class. */
function isRepeat(before: DomainRecord, { verdict, reason }: Visit): boolean {
  if (verdict !== before.verdict || before.reason === null) return false;
  return verdict !== 'unreachable' || failureClassOf(reason) === failureClassOf(before.reason);
}

function stateAfter(
  isFailure: boolean,
  isGone: boolean,
  failures: number,
  failingSince: number | null,
  now: number,
  policy: SchedulePolicy,
): DomainState {
  if (isGone) return 'gone';
  if (!isFailure) return 'active';
  const isLong = failingSince !== null && now - failingSince > policy.deadAfterDays * DAY_MS;
  return failures > policy.deadAfterFailures && isLong ? 'dead' : 'failing';
}
