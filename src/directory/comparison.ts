import type { Domain } from '../model/domain/domain.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { InstanceRecord } from '../model/instance-record.ts';
import { isoTime } from '../model/time.ts';
import type { Listing } from '../store/domains/known-domains.ts';
import type { StoreReader } from '../store/store-reader.ts';

type Because = Exclude<Extract<Listing, { listed: false }>['because'], 'not-loops'>;

/** A domain that another directory lists and ours does not. */
export interface Unlisted {
  domain: Domain;
  because: Because | 'not-known' | 'other-software' | 'alias' | 'unidentified' | 'unreachable' | 'declined';
  /** `because` as text, with the outcome of the domain's last visit where that explains more. */
  detail: string;
  /** The domain for which this one is another name, or to which it redirects; null when there is none. */
  as: Domain | null;
}

const DETAILS: Readonly<Record<Because | 'not-known', string>> = {
  'not-known': 'we do not know it',
  'opted-out': 'its owner has opted out',
  'never-visited': 'it waits for its first visit',
  dead: 'it ran Loops, and has not responded for long',
  gone: 'it answered 410 Gone',
  revived: 'it was dead or gone, and waits for a requested visit',
  noindex: 'it asks not to be published',
  'same-instance': 'it is another name of a listed domain',
};

function whyUnlisted(domain: Domain, reader: StoreReader): Unlisted {
  const listing = reader.domains.listingOf(domain);
  const record = reader.domains.find(domain);
  if (listing?.listed === false && listing.because === 'opted-out')
    return { domain, because: 'opted-out', detail: DETAILS['opted-out'], as: null };
  if (record === null || listing === null || listing.listed)
    return { domain, because: 'not-known', detail: DETAILS['not-known'], as: null };
  if (listing.because === 'same-instance')
    return { domain, because: 'same-instance', detail: `it is another name of ${listing.as}`, as: listing.as };
  if (listing.because !== 'not-loops')
    return {
      domain,
      because: listing.because,
      detail: `${DETAILS[listing.because]}${lastVisitPhrase(record)}`,
      as: null,
    };
  return { domain, because: becauseOf(record), detail: detailOf(record), as: record.aliasOf };
}

function becauseOf({ verdict, identifiedAs }: DomainRecord): Unlisted['because'] {
  if (verdict === 'loops' || verdict === null) return 'never-visited';
  if (verdict === 'other' || identifiedAs === 'other') return 'other-software';
  return verdict;
}

function detailOf(record: DomainRecord): string {
  const { verdict, identifiedAs, software, version, aliasOf } = record;
  if (verdict === 'alias' && aliasOf !== null) return `it redirects to ${aliasOf}`;
  const name = software === null ? 'other software' : [software, version].filter(Boolean).join(' ');
  if (verdict === 'other' || identifiedAs === 'other')
    return `it runs ${name}${verdict === 'other' ? '' : lastVisitPhrase(record)}`;
  return lastVisitPhrase(record).replace(/^; /, '');
}

/** The outcome of the last visit, in the words of the export. */
function lastVisitPhrase({ verdict, reason, lastVisit: at }: DomainRecord): string {
  if (at === null || verdict === null) return '';
  return `; its last visit, on ${new Date(at).toISOString().slice(0, 10)}, ended ${verdict}: ${reason}`;
}

export interface OurInstance {
  domain: Domain;
  via: InstanceRecord['via'];
  version: string | null;
  firstSeen: string;
  /** Keys of the sources that list it. */
  sources: string[];
}

/** Sorts the domains of another directory, added one by one, into those listed in both and those missing here. */
export function createComparison(softwareId: string, reader: StoreReader, listedHere: ReadonlySet<Domain>) {
  const both = new Set<Domain>();
  const missingHere: Unlisted[] = [];
  const byReason: Partial<Record<Unlisted['because'], number>> = {};
  let otherSoftware = 0;
  // Lists are read in lower case.
  const listedId = softwareId.toLowerCase();
  return {
    both,
    missingHere,
    byReason,
    otherSoftware: () => otherSoftware,
    add(domain: Domain, software: string | null): void {
      if (software !== null && software !== listedId) otherSoftware += 1;
      else if (listedHere.has(domain)) both.add(domain);
      else {
        const unlisted = whyUnlisted(domain, reader);
        // It is listed here under another name.
        if (unlisted.as !== null && listedHere.has(unlisted.as)) both.add(unlisted.as);
        byReason[unlisted.because] = (byReason[unlisted.because] ?? 0) + 1;
        // Domains that opted out are counted, but not named.
        if (unlisted.because === 'opted-out') return;
        // Where a directory does not name the software, it may list other software, too.
        if (software !== null || unlisted.because !== 'other-software') missingHere.push(unlisted);
      }
    },
  };
}

export function ourInstance({ domain, via, version, firstSeen }: InstanceRecord, reader: StoreReader): OurInstance {
  const sources = reader.sources.everListing(domain).map(({ key }) => key);
  return { domain, via, version, firstSeen: isoTime(firstSeen), sources };
}
