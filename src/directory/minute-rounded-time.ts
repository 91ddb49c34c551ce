import type { DomainRecord } from '../model/domain-record.ts';

const STEP_MS = 60_000;

/**
 * Reference time for ages: the last full minute, so a response stays the same while it may be cached, but never before the last recorded
 * event.
 */
export function minuteRoundedTime(
  { lastVisit, stateSince }: Pick<DomainRecord, 'lastVisit' | 'stateSince'>,
  now: number,
): number {
  return Math.max(now - (now % STEP_MS), lastVisit ?? 0, stateSince);
}
