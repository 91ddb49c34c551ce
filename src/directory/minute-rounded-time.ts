import type { DomainRecord } from '../model/domain-record.ts';
import { type EpochMs, MINUTE_MS } from '../model/time.ts';

/**
 * Reference time for ages: the last full minute, so a response stays the same while it may be cached, but never before the last recorded
 * event.
 */
export function minuteRoundedTime({ lastVisit, stateSince }: DomainRecord, now: EpochMs): number {
  return Math.max(now - (now % MINUTE_MS), lastVisit ?? 0, stateSince);
}
