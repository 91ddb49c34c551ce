import type { DomainRecord } from './domain-record.ts';
import type { InstanceFacts } from './instance.ts';

/** A listed instance: what is kept of its domain, and the last good facts. */
export interface InstanceRecord extends DomainRecord {
  facts: InstanceFacts;
  /** When the facts were read, milliseconds since the epoch. */
  checkedAt: number;
}
