import type { Change } from './change.ts';
import type { DomainRecord } from './domain-record.ts';
import type { InstanceFacts } from './facts/instance-facts.ts';
import type { UsageSample } from './facts/usage-sample.ts';

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
