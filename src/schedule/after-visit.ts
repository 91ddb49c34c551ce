import type { Cadence } from '../model/cadence.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { HostFacts } from '../model/facts/host-facts.ts';
import { underlyingReason } from '../model/step.ts';
import type { Visit } from '../model/visit.ts';
import { failureClassOf, nextVisit } from './cadence.ts';
import { isConclusive, isFailure, transition } from './transition.ts';

/** A domain whose first visit had to wait longer than this after it became known is one of many that came together. */
const ONE_OF_MANY_AFTER_MS = 5 * 60_000;

/** The domain as a visit leaves it: its state, what is known of it, and when it is visited next. Pure. */
export function afterVisit(
  before: DomainRecord,
  visit: Visit,
  now: number,
  random: number,
  policy: Cadence,
): DomainRecord {
  const { verdict, reason } = visit;
  const onceLoops = before.onceLoops || verdict === 'loops';
  const hasFailed = isFailure(verdict, onceLoops);
  const failures = hasFailed ? before.failures + 1 : 0;
  const failingSince = before.failingSince ?? visit.at;
  const isTold = isConclusive(verdict);

  const moved = transition(
    before,
    hasFailed
      ? { what: 'failed', at: visit.at, reason, cause: underlyingReason(reason, visit.steps), failures, failingSince }
      : { what: 'succeeded', at: visit.at, reason },
    now,
    policy,
  );

  const after: DomainRecord = {
    ...before,
    state: moved.state,
    stateSince: moved.state === before.state ? before.stateSince : visit.at,
    stateWhy: moved.why,
    verdict,
    reason,
    conclusive: isTold ? verdict : before.conclusive,
    onceLoops,
    // What is known of a host outlives a visit that learnt nothing.
    via: isTold ? visit.via : before.via,
    software: isTold ? visit.software : before.software,
    version: isTold ? visit.version : before.version,
    aliasOf: isTold ? visit.aliasOf : before.aliasOf,
    lastVisit: visit.at,
    // A host whose address is forbidden to us was never contacted.
    lastSeen: hasFailed || reason === 'forbidden-address' ? before.lastSeen : visit.at,
    failures,
    failingSince: hasFailed ? failingSince : null,
    consecutiveSameOutcome: isRepeat(before, visit) ? before.consecutiveSameOutcome + 1 : 1,
    host: hostAfter(before.host, visit),
  };
  const isOneOfMany = before.lastVisit === null && visit.at - before.firstSeen > ONE_OF_MANY_AFTER_MS;
  const next = nextVisit({ ...after, isOneOfMany }, visit, now, random, policy);
  return { ...after, nextVisit: next.at, nextVisitWhy: next.why };
}

/** Each way of asking not to be published holds until the same was read without it: a host that fails takes nothing back. */
function noindexAfter(
  before: HostFacts,
  { host, absentNoindexSignals = [] }: Visit,
): Pick<HostFacts, 'noindex' | 'noindexBy'> {
  const held = (before.noindexBy ?? []).filter((way) => !absentNoindexSignals.includes(way));
  const noindexBy = [...new Set([...held, ...(host.noindexBy ?? [])])].sort();
  return noindexBy.length > 0 ? { noindex: true, noindexBy } : { noindex: host.noindex ?? before.noindex };
}

/** What a visit did not learn of the host stays as it was; where an instance points follows from the last conclusive visit, as what it runs does. */
function hostAfter(before: HostFacts, visit: Visit): HostFacts {
  const { host, verdict } = visit;
  return {
    ipv4: host.ipv4 ?? before.ipv4,
    ipv6: host.ipv6 ?? before.ipv6,
    tlsExpires: host.tlsExpires ?? before.tlsExpires,
    ...noindexAfter(before, visit),
    canonicalHost: isConclusive(verdict) ? host.canonicalHost : before.canonicalHost,
  };
}

/** Whether a visit ended as the one before: the same verdict, and of failures the same class. */
export function isRepeat(
  before: Pick<DomainRecord, 'verdict' | 'reason'>,
  { verdict, reason }: Pick<Visit, 'verdict' | 'reason'>,
): boolean {
  if (verdict !== before.verdict || before.reason === null) return false;
  return verdict !== 'unreachable' || failureClassOf(reason) === failureClassOf(before.reason);
}
