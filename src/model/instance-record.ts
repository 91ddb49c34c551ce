import type { Change } from './change.ts';
import type { DomainRecord } from './domain-record.ts';
import type { InstanceFacts } from './facts/instance-facts.ts';
import type { KeptFacts } from './facts/kept-facts.ts';
import type { UsageSample } from './facts/usage-sample.ts';
import type { Uptime } from './uptime.ts';

/** A listed instance: what is kept of its domain, the last good facts with their ages, and how often it was up. */
export interface InstanceRecord extends DomainRecord, KeptFacts {
  uptime: Uptime;
}

/**
 * How a domain that was ever found to be Loops became what it is. What it was at any time before is found by taking its changes
 * back, newest first: to learn a fact for the first time is no change of it, and happened when it was found to be Loops.
 */
export interface InstanceHistory {
  /** As it stands. */
  record: DomainRecord;
  /** What is kept of it, without the flags that depend on the time of reading and on other instances. */
  facts: InstanceFacts;
  /** Every change of it, oldest first. */
  changes(): Iterable<Change>;
  /** The last counts of each day (UTC), oldest first. */
  usage(): Iterable<UsageSample>;
}

/** Whether a listed instance is shown as down: its last visit failed, or it could not be contacted at all. */
export function isDown({ state, reason }: Pick<DomainRecord, 'state' | 'reason'>): boolean {
  return state === 'failing' || reason === 'forbidden-address';
}
