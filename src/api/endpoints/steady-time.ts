import type { DomainRecord } from '../../model/domain-record.ts';

const STEP_MS = 60_000;

/**
 * The time that ages are told from: the last full minute, so that an answer is the same for as long as it may be kept, and never
 * before what was recorded last.
 */
export function steadyTime({ lastVisit, stateSince }: DomainRecord, now: number): number {
  return Math.max(now - (now % STEP_MS), lastVisit ?? 0, stateSince);
}
