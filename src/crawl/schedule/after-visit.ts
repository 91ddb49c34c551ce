import type { Cadence } from '../../model/cadence.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import type { HostFacts } from '../../model/facts/host-facts.ts';
import { UNKNOWN_HOSTING } from '../../model/facts/hosting.ts';
import { isLiveInstance } from '../../model/instance-record.ts';
import { isCutByOurLimits } from '../../model/reason.ts';
import { underlyingReason } from '../../model/step.ts';
import { DAY_MS, MINUTE_MS } from '../../model/time.ts';
import type { Visit } from '../../model/visit.ts';
import { failureClassOf, nextVisit } from './cadence.ts';
import { type DomainEvent, isConclusive, isFailure, transition } from './transition.ts';

/** A domain that waited longer than this for its first visit is taken for one of many added together. */
const ADDED_IN_BULK_AFTER_MS = 5 * MINUTE_MS;

/** So many failed visits in a row make an instance down. */
export const FAILURES_TO_CONFIRM = 2;

/**
 * The domain after a visit: its state, its facts and its next visit. Pure.
 *
 * @param failuresToConfirm so many failed visits in a row make an instance down; before that, its state stays.
 */
export function afterVisit(
  before: DomainRecord,
  visit: Visit,
  now: number,
  random: number,
  policy: Cadence,
  failuresToConfirm = FAILURES_TO_CONFIRM,
): DomainRecord {
  const { verdict, reason } = visit;
  const wasEverLoops = before.wasEverLoops || verdict === 'loops';
  const isInstance = isLiveInstance(before);
  const isNeither = isNeitherSuccessNorFailure(visit, isInstance);
  const hasFailed = !isNeither && isFailure(verdict, wasEverLoops);
  const unfailed = isNeither
    ? { failures: before.failures, failingSince: before.failingSince }
    : { failures: 0, failingSince: null };
  const failures = before.failures + 1;
  const failingSince = before.failingSince ?? visit.at;
  const isConclusiveVisit = isConclusive(verdict);
  const isTooLong =
    isInstance && isNeither && visit.at - (before.lastSeen ?? before.stateSince) > policy.declinedInstanceDays * DAY_MS;

  const event: DomainEvent = hasFailed
    ? { kind: 'failed', at: visit.at, reason, cause: underlyingReason(reason, visit.steps), failures, failingSince }
    : { kind: 'succeeded', at: visit.at, reason };
  const isUnconfirmed = isInstance && hasFailed && before.state === 'active' && failures < failuresToConfirm;
  // A visit that our own limits cut says nothing about a known host, but a new one has answered.
  const unchanged = (isNeither || isUnconfirmed) && before.state !== 'new';
  const newState = unchanged ? { state: before.state, why: before.stateWhy } : transition(before, event, now, policy);

  const after: DomainRecord = {
    ...before,
    state: newState.state,
    // An outage begins with the first of the failed visits.
    stateSince:
      newState.state === before.state ? before.stateSince : newState.state === 'failing' ? failingSince : visit.at,
    stateWhy: newState.why,
    verdict,
    reason,
    identifiedAs: isConclusiveVisit ? verdict : isTooLong ? null : before.identifiedAs,
    wasEverLoops,
    // An inconclusive visit keeps the earlier facts.
    via: isConclusiveVisit ? visit.via : before.via,
    software: isConclusiveVisit ? visit.software : before.software,
    version: isConclusiveVisit ? visit.version : before.version,
    aliasOf: isConclusiveVisit ? visit.aliasOf : before.aliasOf,
    lastVisit: visit.at,
    // A host with a forbidden address was not contacted.
    lastSeen: hasFailed || (isInstance && isNeither) || reason === 'forbidden-address' ? before.lastSeen : visit.at,
    ...(hasFailed ? { failures, failingSince } : unfailed),
    consecutiveSameOutcome: isRepeat(before, visit) ? before.consecutiveSameOutcome + 1 : 1,
    host: hostAfter(before.host, visit),
  };
  const addedInBulk = before.lastVisit === null && visit.at - before.firstSeen > ADDED_IN_BULK_AFTER_MS;
  const next = nextVisit({ ...after, addedInBulk }, visit, now, random, policy);
  return { ...after, nextVisit: next.at, nextVisitWhy: next.why };
}

/** Whether a visit was ended by a limit of ours, or declined by a listed instance. */
export function isNeitherSuccessNorFailure(
  { verdict, reason }: Pick<Visit, 'verdict' | 'reason'>,
  isInstance: boolean,
): boolean {
  return isCutByOurLimits(reason) || (isInstance && verdict === 'declined' && reason !== 'gone');
}

/** A noindex signal holds until a visit reads the place where it was found and does not find it there. */
function noindexAfter(
  before: HostFacts,
  { host, absentNoindexSignals = [] }: Visit,
): Pick<HostFacts, 'noindex' | 'noindexBy'> {
  const remaining = (before.noindexBy ?? []).filter((signal) => !absentNoindexSignals.includes(signal));
  const noindexBy = [...new Set([...remaining, ...(host.noindexBy ?? [])])].sort();
  return noindexBy.length > 0 ? { noindex: true, noindexBy } : { noindex: host.noindex ?? before.noindex };
}

/**
 * Facts that the visit did not find keep their earlier values; those about the address, while the address is the same. The canonical host is
 * taken from the last conclusive visit.
 */
function hostAfter(before: HostFacts, visit: Visit): HostFacts {
  const { host, hosting, verdict } = visit;
  const address = host.address ?? before.address;
  return {
    ipv4: host.ipv4 ?? before.ipv4,
    ipv6: host.ipv6 ?? before.ipv6,
    address,
    hosting: { ...(address === before.address ? before.hosting : UNKNOWN_HOSTING), ...hosting },
    tlsExpires: host.tlsExpires ?? before.tlsExpires,
    ...noindexAfter(before, visit),
    canonicalHost: isConclusive(verdict) ? host.canonicalHost : before.canonicalHost,
  };
}

/** Whether a visit has the same verdict as the one before, and for `unreachable` the same failure class. */
export function isRepeat(
  before: Pick<DomainRecord, 'verdict' | 'reason'>,
  { verdict, reason }: Pick<Visit, 'verdict' | 'reason'>,
): boolean {
  if (verdict !== before.verdict || before.reason === null) return false;
  return verdict !== 'unreachable' || failureClassOf(reason) === failureClassOf(before.reason);
}
