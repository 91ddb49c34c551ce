import type { DomainRecord } from '../../model/domain-record.ts';
import { transition } from './transition.ts';

/**
 * The domain after a user added it: due at `at` at the latest, with failures cleared. `dead` and `gone` become `new`; `failing` stays, so
 * that an instance is shown as down until a visit succeeds. Pure.
 *
 * @param why stored as the reason of the next visit, and of a new state.
 */
export function afterAdded(before: DomainRecord, at: number, why: string): DomainRecord {
  // Adding a domain never makes it dead, so the death policy does not matter.
  const newState = transition(before, { kind: 'added', why }, at, { deadAfterFailures: 0, deadAfterDays: 0 });
  return {
    ...before,
    state: newState.state,
    stateSince: newState.state === before.state ? before.stateSince : at,
    stateWhy: newState.why,
    // An overdue domain keeps its place in the queue.
    nextVisit: Math.min(before.nextVisit ?? at, at),
    nextVisitWhy: why,
    failures: 0,
    failingSince: null,
    consecutiveSameOutcome: 0,
  };
}
