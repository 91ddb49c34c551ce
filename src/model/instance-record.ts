import type { Change } from './change.ts';
import type { DomainRecord } from './domain-record.ts';
import type { InstanceFacts } from './facts/instance-facts.ts';
import type { KnownFacts } from './facts/known-facts.ts';
import type { UsageSample } from './facts/usage-sample.ts';
import type { Uptime } from './uptime.ts';

/** A listed instance: its domain, the last known facts with their ages, and its uptime. */
export interface InstanceRecord extends DomainRecord, KnownFacts {
  uptime: Uptime;
}

/**
 * The history of a domain that once ran Loops. Reverting its changes, newest first, gives its facts at any earlier time. The first facts
 * that were read are not changes, so they apply from the beginning.
 */
export interface InstanceHistory {
  /** Its current record. */
  record: DomainRecord;
  /** Its current facts, without the derived flags. */
  facts: InstanceFacts;
  /** All changes, oldest first. */
  changes(): Iterable<Change>;
  /** The last counts of each day (UTC), oldest first. */
  usage(): Iterable<UsageSample>;
}

/** Whether a listed instance is shown as down: its last visit failed, or it was not contacted because its address is forbidden. */
export function isDown({ state, reason }: Pick<DomainRecord, 'state' | 'reason'>): boolean {
  return state === 'failing' || reason === 'forbidden-address';
}

/** Whether the domain is an instance that is now shown as up, so that a failed visit would change this. */
export function isUp(record: Pick<DomainRecord, 'state' | 'reason' | 'identifiedAs'>): boolean {
  return record.identifiedAs === 'loops' && record.state === 'active' && !isDown(record);
}
