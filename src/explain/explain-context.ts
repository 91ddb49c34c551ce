import type { Domain } from '../model/domain/domain.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { Step } from '../model/step.ts';
import type { DeathPolicy } from '../schedule/transition.ts';
import type { Listing } from '../store/store-reader.ts';

/** What is needed to tell why a domain stands where it does. */
export interface Story {
  record: DomainRecord;
  listing: Exclude<Listing, { because: 'opted-out' }>;
  /** Another domain that it leads to: what it redirects to, and whether that one is listed; null when it is not known. */
  target: { domain: Domain; isListed: boolean } | null;
  /** Of the last visit; null when they are no longer kept. */
  steps: readonly Step[] | null;
  /** What a server has to call itself. */
  softwareId: string;
  now: number;
  policy: DeathPolicy;
}

/** Whether a domain is listed and the one reason, and why at length. */
export interface Telling {
  headline: string;
  why: string;
}
