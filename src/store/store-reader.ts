import type { Change, DomainChange } from '../model/change.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { DomainRecord, DomainState } from '../model/domain-record.ts';
import type { KeptFacts } from '../model/facts/kept-facts.ts';
import type { DailyUsage, UsageSample } from '../model/facts/usage-sample.ts';
import type { InstanceHistory, InstanceRecord } from '../model/instance-record.ts';
import type { Month } from '../model/month.ts';
import type { OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import type { Reason } from '../model/reason.ts';
import type { Uptime } from '../model/uptime.ts';
import type { Verdict } from '../model/verdict.ts';
import type { DocumentKind, Visit, VisitOutcome } from '../model/visit.ts';
import type { SkippedSource, SourceListing, SourceRun, SourceState, SourceYield } from './sources/source-state.ts';

/** A completed visit; `documents` are ids for {@link StoreReader.document}. */
export interface StoredVisit extends Omit<Visit, 'documents' | 'host' | 'robots' | 'steps'> {
  readonly id: number;
  /** Null when they are no longer kept. */
  readonly steps: Visit['steps'] | null;
  /** Another host that an instance names as the one it speaks for; null of everything but `loops`. */
  readonly canonicalHost: Domain | null;
  readonly documents: Partial<Record<DocumentKind, number>>;
}

/** A change with the visit that found it. */
export interface StoredChange extends Change {
  readonly domain: Domain;
  /** Null when no visit did; of an old change, the visit itself may no longer be kept. */
  readonly visitId: number | null;
}

/** A change with its place in the order of recording. */
export interface NumberedChange extends StoredChange {
  readonly id: number;
  /** False of a domain that asks to be left out, and so is not given out. */
  readonly isPublished: boolean;
}

/** Where a page of a history that is read newest first begins: after the entry of this time and number. */
export interface HistoryPage {
  /** Null: at the newest. */
  readonly before: { readonly at: number; readonly id: number } | null;
  readonly limit: number;
}

/** How many domains are alike. */
export interface DomainGroup {
  readonly state: DomainState;
  readonly verdict: Verdict | null;
  readonly software: string | null;
  readonly count: number;
}

/** Where the order of recording has come to. */
export interface LastVisit {
  /** The number of the last visit ever recorded; no later one has it. */
  readonly id: number;
  /** Start of the last visit that is still kept; epoch milliseconds, as is when it was recorded, null when that was not kept. */
  readonly at: number;
  readonly recordedAt: number | null;
}

/** Why a domain is in the directory or not. */
export type Listing =
  | { readonly listed: true }
  /** `since`: when the first of the opt-outs that cover it was made, epoch milliseconds. */
  | { readonly listed: false; readonly because: 'opted-out'; readonly since: number }
  | {
      readonly listed: false;
      /** `revived`: dead or gone before somebody asked for it by name, and not visited since. */
      readonly because: 'never-visited' | 'not-loops' | 'dead' | 'gone' | 'revived' | 'noindex';
    }
  /** Of two domains of one instance, the other is listed. */
  | { readonly listed: false; readonly because: 'same-instance'; readonly as: Domain };

/** The priority lanes of due domains. A first visit that was deferred, or whose lease was lost, is in `known`. */
export type Lane = 'live' | 'new' | 'known' | 'dead';

/** What is due and not leased, by lane, and since when the first of that was due; null when nothing is. */
export type Backlog = Readonly<Record<Lane, { readonly due: number; readonly oldest: number | null }>>;

export interface StoredDocument {
  /** Hexadecimal SHA-256 of the body. */
  readonly sha256: string;
  /** As it was received; null when it is not kept, because it names a host that has opted out. */
  readonly body: Uint8Array | null;
}

/** How many domains bear a name; lists of these are sorted by count, largest first, then by name. */
export interface NamedCount<Name extends string = string> {
  readonly name: Name;
  readonly count: number;
}

export interface StoreCounts {
  readonly domains: number;
  readonly byState: Readonly<Partial<Record<DomainState, number>>>;
  /** Of the last visits; domains not yet visited are in none. */
  readonly byVerdict: Readonly<Partial<Record<Verdict, number>>>;
  readonly byReason: readonly NamedCount<Reason>[];
  readonly listed: number;
  /** Due at the time asked about, leased ones left out. */
  readonly due: number;
  readonly leased: number;
  /** Last known software of all domains, the 50 commonest. */
  readonly software: readonly NamedCount[];
  /** Versions of the listed instances, the 50 commonest. */
  readonly versions: readonly NamedCount[];
}

/** The newest version of the software, and who says so: its project, or the listed instances, of which at least two run it. */
export interface NewestRelease {
  readonly version: string;
  readonly from: 'release' | 'crawl';
}

/** A domain with visits of which documents are kept. */
export interface DocumentedDomain {
  /** Ascending in the order of entry. */
  readonly id: number;
  readonly domain: Domain;
}

/** Which sources in force have ever listed a listed instance, under any of its names. */
export interface Membership {
  readonly domain: Domain;
  /** Type and id of each source, such as `file-3`, in the order of the ids; empty when no source lists it. */
  readonly sources: readonly string[];
}

/** Where a domain leads, and who brought it. */
export interface DomainOrigin {
  readonly domain: Domain;
  readonly software: string | null;
  readonly state: DomainState;
  readonly aliasOf: Domain | null;
  readonly canonicalHost: Domain | null;
  /** Key of the source that listed it first; null when none did. */
  readonly discoveredBy: string | null;
}

/** A read-only connection of its own. Iterators stream in constant memory; each can be left early. */
export interface StoreReader extends Disposable {
  /** Reads every row once: about a second for a million domains. */
  counts(at: number): StoreCounts;
  find(domain: Domain): DomainRecord | null;
  /** All known domains, sorted by domain in the binary order of UTF-8. */
  domains(): IterableIterator<DomainRecord>;
  /**
   * The listed instances with their last good facts, sorted as {@link domains}; uptime, `crowded-domain`, `outdated` and
   * `stale-facts` as of `at`.
   */
  instances(at: number): IterableIterator<InstanceRecord>;
  /**
   * What is kept of an instance, listed or not; null for a domain that was never found to be Loops. With `at`, its flags are
   * those of {@link instances}.
   */
  factsOf(domain: Domain, at?: number): KeptFacts | null;
  /** Null when no release was noted and no two listed instances run the same version. */
  newestRelease(): NewestRelease | null;
  /** Null for a domain that is not known. */
  listingOf(domain: Domain): Listing | null;
  /** The last visit that began by `upTo` to any domain of the host of a name: under any port, with `www.` or without. Null when there is none. */
  lastVisitOfSite(name: string, upTo: number): number | null;
  /** How many have opted out; what one opt-out covers counts once, under however many names it was asked for. */
  optOuts(): number;
  /** See `Store.optedOut`. */
  readonly optedOut: OptOutSet;
  /** Whether nothing may be published of a domain: an opt-out covers it, or it is known and asks to be left out. */
  isRedacted(domain: string): boolean;
  uptimeOf(domain: Domain, at: number): Uptime;
  /** The changes of a domain, newest first. */
  changesOf(domain: Domain): IterableIterator<StoredChange>;
  /** The counts of a domain as they were read, newest first. */
  usageOf(domain: Domain): IterableIterator<UsageSample>;
  /**
   * A page of all changes, in the order of recording; `from` is the number of the last one seen, null to begin. Here and in the page of
   * one domain, null stands in the place of a domain that is named and of which nothing may be published.
   */
  changesPage(page: { order: 'newest' | 'oldest'; from: number | null; limit: number }): NumberedChange[];
  /** A page of {@link changesOf}. */
  changesOfPage(domain: Domain, page: HistoryPage): NumberedChange[];
  /** A page of {@link usageOf}; `id` is that of the visit. */
  usageOfPage(domain: Domain, page: HistoryPage): (UsageSample & { readonly id: number })[];
  /** Domains that are published, with ids larger than `after` up to `upTo`, counted by what they are. */
  domainGroups(after: number, upTo: number): DomainGroup[];
  /** 0 when there is none. */
  lastDomainId(): number;
  /** Every source that was ever read, in the order in which they were first read. */
  sourceStates(): SourceState[];
  /** The same with what they were worth; reads every membership, a second or two for a million. */
  sourceYields(): SourceYield[];
  /** The runs of a source, newest first. */
  sourceRuns(key: string): IterableIterator<SourceRun>;
  /** Sources that were to be read and were not asked, and have not been read since. */
  skippedSources(): SkippedSource[];
  /** Who lists a domain, longest first. */
  sourcesOf(domain: Domain): SourceListing[];
  /**
   * Every listed instance with the sources that have ever listed it or a name that leads to it, sorted as {@link domains}. Sources of
   * the type `crawled` are left out, since what they list was learnt from the others, and so are those no longer in force, see
   * `Store.syncActiveSources`.
   */
  memberships(): IterableIterator<Membership>;
  /** Domains that are published, with ids larger than `after` up to `upTo`, in the order of entry. */
  domainOrigins(after: number, upTo: number): DomainOrigin[];
  /** Another number whenever somebody committed since; says nothing on a snapshot. */
  dataVersion(): number;
  /** Reads each domain that is due, some 0.3 s for a million; counts no further than `most` in each lane. */
  backlog(at: number, most?: number): Backlog;
  /** The id of the last visit recorded, 0 when there is none: it is larger whenever one was recorded since. */
  lastVisitId(): number;
  /** The same of changes, some of which no visit makes. */
  lastChangeId(): number;
  /** The last visit recorded; null when none is. */
  lastVisit(): LastVisit | null;
  /** When a visit that is still kept began, by its number; else null. */
  visitStartedAt(id: number): number | null;
  /** When we were last found to be offline; null when a visit was answered since, or we never were. */
  offlineSince(): number | null;
  /** The first domain with an id larger than `after` of whose visits documents are kept; null when there is none. Opt-outs are left out. */
  nextDomainWithDocuments(after: number): DocumentedDomain | null;
  /** Its visits with documents, oldest first. */
  visitsWithDocuments(domain: DocumentedDomain): StoredVisit[];
  /** The completed visits of a domain, newest first. */
  visitsOf(domain: Domain): IterableIterator<StoredVisit>;
  completedVisits(): number;
  document(id: number): StoredDocument | null;
  /** Of the domains that are published, every change, in the order of recording. */
  changes(): IterableIterator<DomainChange>;
  /** Of the domains that are published, those that ever were Loops, sorted as {@link domains}. */
  histories(): IterableIterator<InstanceHistory>;
  /** From the month of the first visit that is kept to that of the last. */
  visitMonths(): Month[];
  /** Of the domains that are published, the visits that began in a month, in the order of recording. */
  visits(month: Month): IterableIterator<VisitOutcome>;
  /** From the month of the first count that is kept to that of the last. */
  usageMonths(): Month[];
  /** Of the domains that are published, the last counts of each on each day of a month, sorted as {@link domains}, then by time. */
  usage(month: Month): IterableIterator<DailyUsage>;
}
