import type { DomainRecord } from '../model/domain-record.ts';
import { transition } from './transition.ts';

/**
 * The domain as asking for it by name leaves it: due at `at`, and what failed before counts no more. `dead` and `gone` become
 * `new`; `failing` stays, so that an instance is shown as down until a visit says otherwise. Pure.
 *
 * @param why it was asked for, in words.
 */
export function afterAdded(before: DomainRecord, at: number, why: string): DomainRecord {
  // No death policy is needed: being asked for kills nobody.
  const moved = transition(before, { what: 'asked-for', why }, at, { deadAfterFailures: 0, deadAfterDays: 0 });
  return {
    ...before,
    state: moved.state,
    stateSince: moved.state === before.state ? before.stateSince : at,
    stateWhy: moved.why,
    // What is already overdue keeps its place in the line.
    nextVisit: Math.min(before.nextVisit ?? at, at),
    nextVisitWhy: why,
    failures: 0,
    failingSince: null,
    consecutiveSameOutcome: 0,
  };
}
