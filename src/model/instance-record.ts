import type { DomainRecord } from './domain-record.ts';
import type { KeptFacts } from './facts/kept-facts.ts';
import type { Uptime } from './uptime.ts';

/** A listed instance: what is kept of its domain, the last good facts with their ages, and how often it was up. */
export interface InstanceRecord extends DomainRecord, KeptFacts {
  uptime: Uptime;
}
