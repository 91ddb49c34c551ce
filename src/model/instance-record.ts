import type { Change } from './change.ts';
import type { DomainRecord } from './domain-record.ts';
import type { InstanceFacts } from './facts/instance-facts.ts';
import type { KnownFacts } from './facts/known-facts.ts';
import type { UsageSample } from './facts/usage-sample.ts';
import type { EpochMs } from './time.ts';
import type { Uptime } from './uptime.ts';

/** A listed instance: its domain, the last known facts with their ages, its uptime, and its counts of about {@link GROWTH_DAYS} ago. */
export interface InstanceRecord extends DomainRecord, KnownFacts {
  uptime: Uptime;
  /** The last ones read at least {@link GROWTH_DAYS} ago; null when none was read in the week before. */
  usageBefore: UsageSample | null;
  /** Why facts are missing, each as `FACT=CODE`. */
  missing: readonly string[];
}

/** Growth is counted from this many days ago. */
export const GROWTH_DAYS = 30;

/**
 * The history of a domain that once ran Loops. Reverting its changes, newest first, gives its facts at any earlier time. The first facts
 * that were read are not changes, so they apply from the beginning.
 */
export interface InstanceHistory {
  /** Its current record. */
  record: DomainRecord;
  /** Its current facts, without the derived flags. */
  facts: InstanceFacts;
  /** Start of the last visit that found the instance. */
  checkedAt: EpochMs;
  /** Why facts are missing now, each as `FACT=CODE`. */
  missing: readonly string[];
  /** All changes, oldest first. */
  changes(): Iterable<Change>;
  /** The last counts of each day (UTC), oldest first. */
  usage(): Iterable<UsageSample>;
}

/** Whether the domain is listed, unless it asks to be left out or is a secondary name of another instance. */
export function isLiveInstance({ identifiedAs, state }: Pick<DomainRecord, 'identifiedAs' | 'state'>): boolean {
  return identifiedAs === 'loops' && (state === 'active' || state === 'failing');
}

/** Whether a listed instance is shown as down: at least two visits in a row failed. */
export function isDown({ state }: Pick<DomainRecord, 'state'>): boolean {
  return state === 'failing';
}

/** Whether the last visit of an instance failed that is still shown as up, because no second visit has confirmed the failure. */
export function isUnconfirmed(record: Pick<DomainRecord, 'identifiedAs' | 'state' | 'failures'>): boolean {
  return isLiveInstance(record) && !isDown(record) && record.failures > 0;
}
