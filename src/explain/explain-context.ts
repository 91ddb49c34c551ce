import type { Cadence } from '../model/cadence.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { Step } from '../model/step.ts';
import type { Listing } from '../store/domains/known-domains.ts';

/** Whether a reader may confuse a name with Loops: one contains the other, ignoring case, spaces and punctuation, or the name has non-ASCII letters. */
export function isSimilarName(software: string, softwareId: string): boolean {
  const [name, id] = [plain(software), plain(softwareId)];
  return /[^ -~]/.test(software) || name.includes(id) || (name !== '' && id.includes(name));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The stored data from which the listing of a domain is explained. */
export interface ExplainContext {
  record: DomainRecord;
  listing: Exclude<Listing, { because: 'opted-out' }>;
  /** The known domain that the explained one redirects to; null when there is none. */
  target: { domain: Domain; isListed: boolean } | null;
  /** The steps of the last visit; null when they are no longer stored. */
  steps: readonly Step[] | null;
  /** The software name that identifies a Loops server. */
  softwareId: string;
  now: number;
  policy: Cadence;
}

/** `headline`: whether a domain is listed, with the main reason; `why`: the details. */
export interface ListingExplanation {
  headline: string;
  why: string;
}
