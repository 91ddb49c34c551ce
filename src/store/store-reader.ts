import type { Change, DomainChange } from '../model/change.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { DomainRecord, DomainState } from '../model/domain-record.ts';
import type { KnownFacts } from '../model/facts/known-facts.ts';
import type { DailyUsage, UsageSample } from '../model/facts/usage-sample.ts';
import type { InstanceHistory, InstanceRecord } from '../model/instance-record.ts';
import type { Month } from '../model/month.ts';
import type { OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import type { IsHidden } from '../model/opt-outs/opted-out-references.ts';
import type { Reason } from '../model/reason.ts';
import type { Uptime, UptimeVisit } from '../model/uptime.ts';
import type { Verdict } from '../model/verdict.ts';
import type { DocumentKind, Visit, VisitOutcome } from '../model/visit.ts';
import type { WorkerRecord } from '../model/worker.ts';
import type { SkippedSource, SourceListing, SourceRun, SourceState, SourceYield } from './sources/source-state.ts';

/** A recorded visit; `documents` are ids for {@link StoreReader.document}. */
export interface StoredVisit extends Omit<Visit, 'documents' | 'host' | 'retryAfterMs' | 'robots' | 'steps'> {
  readonly id: number;
  /** Null once deleted by compaction. */
  readonly steps: Visit['steps'] | null;
  /** Another host that the instance names as its canonical host; null unless the verdict is `loops`. */
  readonly canonicalHost: Domain | null;
  readonly documents: Partial<Record<DocumentKind, number>>;
}

/** What a visit says about uptime, with its duration and the cause of a failure. */
export interface TimedVisit extends UptimeVisit {
  readonly durationMs: number;
  readonly reason: Reason;
}

/** A change of a fact. */
export interface StoredChange extends Change {
  readonly domain: Domain;
  /** The visit that found the change; null when no visit did. An old visit may have been deleted. */
  readonly visitId: number | null;
}

export interface NumberedChange extends StoredChange {
  /** Ascending in the order of recording. */
  readonly id: number;
  /** False when the domain asks not to be published. */
  readonly isPublished: boolean;
}

/** A page of a history in order from newest to oldest. */
export interface HistoryPage {
  /** The last entry of the previous page; null for the first page. */
  readonly before: { readonly at: number; readonly id: number } | null;
  readonly limit: number;
}

/** The number of domains with these values. */
export interface DomainGroup {
  readonly state: DomainState;
  readonly verdict: Verdict | null;
  readonly reason: Reason | null;
  readonly software: string | null;
  readonly count: number;
}

/** The end of the visit log. Times are epoch milliseconds. */
export interface LastVisit {
  /** The largest id ever given to a visit, deleted ones included. */
  readonly id: number;
  /** Start of the last visit that is still stored. */
  readonly at: number;
}

/** A position among the requests not to be published: numbers that ascend in the order of recording. */
export interface RequestMark {
  readonly optOuts: number;
  readonly changes: number;
}

/** Why a domain is in the directory or not. */
export type Listing =
  | { readonly listed: true }
  /** `since`: time of the earliest opt-out that covers the domain, epoch milliseconds. */
  | { readonly listed: false; readonly because: 'opted-out'; readonly since: number }
  | {
      readonly listed: false;
      /** `revived`: dead or gone before a user requested it, and not visited since. */
      readonly because: 'never-visited' | 'not-loops' | 'dead' | 'gone' | 'revived' | 'noindex';
    }
  /** The instance is listed under its other domain. */
  | { readonly listed: false; readonly because: 'same-instance'; readonly as: Domain };

/** The kinds of due domains: Loops instances, unvisited domains, other known domains, and dead or gone ones. */
export type DueKind = 'live' | 'new' | 'known' | 'dead';

/** The number of due domains of each kind that are not being visited, and the due time of the first; null when there is none. */
export type Backlog = Readonly<Record<DueKind, { readonly due: number; readonly oldest: number | null }>>;

export interface StoredDocument {
  /** Hexadecimal SHA-256 of the body. */
  readonly sha256: string;
  /** As received. */
  readonly body: Uint8Array;
}

export interface StoreCounts {
  readonly domains: number;
  readonly listed: number;
  /** Due and not being visited. */
  readonly due: number;
}

/** The newest version of the software: released by its project, or run by listed instances under at least two registrable domains. */
export interface NewestRelease {
  readonly version: string;
  readonly from: 'release' | 'crawl';
}

/** A domain with visits whose documents are stored. */
export interface DocumentedDomain {
  /** Ascending in the order of entry. */
  readonly id: number;
  readonly domain: Domain;
}

/** The active sources that have ever listed an instance, under any of its names. */
export interface Membership {
  readonly domain: Domain;
  /** Type and id of each source, such as `file-3`, in the order of the ids; empty when no source lists it. */
  readonly sources: readonly string[];
}

/** The first source that listed a domain, and the domain's alias target and canonical host. */
export interface DomainOrigin {
  readonly domain: Domain;
  readonly software: string | null;
  readonly state: DomainState;
  readonly aliasOf: Domain | null;
  readonly canonicalHost: Domain | null;
  /** Key of the first source that listed it; null when none has. */
  readonly discoveredBy: string | null;
}

/** A read-only connection. Iterators stream in constant memory, and can be abandoned early. */
export interface StoreReader extends Disposable {
  /** Reads every row once: about a second for a million domains. */
  counts(at: number): StoreCounts;
  find(domain: Domain): DomainRecord | null;
  /** The first published domains that begin with `prefix`, in the order of {@link domains}. */
  domainsStartingWith(prefix: string, limit: number): DomainRecord[];
  /** All known domains, sorted by domain in the binary order of UTF-8. */
  domains(): Iterable<DomainRecord>;
  /**
   * The listed instances with their last good facts, in the order of {@link domains}; uptime, `crowded-domain`, `outdated` and
   * `stale-facts` as of `at`.
   */
  instances(at: number): Iterable<InstanceRecord>;
  /**
   * The last good facts of an instance, listed or not; null for a domain that was never identified as Loops. With `at`, includes the
   * derived flags of {@link instances}.
   *
   * @param newest the newest version, null when unknown. Default: {@link newestRelease}, which may read every listed instance.
   */
  factsOf(domain: Domain, at?: number, newest?: string | null): KnownFacts | null;
  /** Null when no release is stored, and no version is run under two registrable domains. */
  newestRelease(): NewestRelease | null;
  /** Null for an unknown domain. */
  listingOf(domain: Domain): Listing | null;
  /** Start of the last visit up to `upTo` of any domain of the same host: any port, with or without `www.`. Null when there is none. */
  lastVisitUnderAnyName(name: string, upTo: number): number | null;
  /** The number of opt-outs; several that cover the same host count once. */
  optOutCount(): number;
  /** The last opt-out and the last change; 0 when there is none. */
  lastRequest(): RequestMark;
  /** Whether, since then, a host has opted out, or one that ever ran Loops has asked not to be published. */
  hasRequestSince(mark: RequestMark): boolean;
  /** See `Store.optedOut`. */
  readonly optedOut: OptOutSet;
  readonly isHidden: IsHidden;
  uptimeOf(domain: Domain, at: number): Uptime;
  /** The visits of a domain up to `at`, back to the last one before `from`, newest first. */
  timedVisitsOf(domain: Domain, period: { from: number; at: number }): TimedVisit[];
  /** The changes of a domain, newest first. */
  changesOf(domain: Domain): IterableIterator<StoredChange>;
  /** The usage counts of a domain, newest first. */
  usageOf(domain: Domain): IterableIterator<UsageSample>;
  /**
   * A page of all changes, in the order of recording; `from` is the id of the last change of the previous page, null for the first page.
   * Here and in {@link domainChangesPage}, values that name a domain which {@link isHidden} are null.
   */
  changesPage(page: { order: 'newest' | 'oldest'; from: number | null; limit: number }): NumberedChange[];
  /** A page of {@link changesOf}. */
  domainChangesPage(domain: Domain, page: HistoryPage): NumberedChange[];
  /** A page of {@link usageOf}; `id` is the visit's. */
  domainUsagePage(domain: Domain, page: HistoryPage): (UsageSample & { readonly id: number })[];
  /** Published domains with ids above `after` up to `upTo`, counted by state, verdict, reason and software. */
  domainGroups(after: number, upTo: number): DomainGroup[];
  /** 0 when there is none. */
  lastDomainId(): number;
  /** Every source that was ever read, in the order of the first runs. */
  sourceStates(): SourceState[];
  /** The states of {@link sourceStates} with their yields: what each contributed. Reads every membership: one or two seconds for a million. */
  sourceYields(): SourceYield[];
  /** The runs of a source, newest first. */
  sourceRuns(key: string): IterableIterator<SourceRun>;
  /** Sources that were skipped when they were last due. */
  skippedSources(): SkippedSource[];
  /** The sources that list a domain, oldest listing first. */
  sourcesOf(domain: Domain): SourceListing[];
  /**
   * Every listed instance with the sources that have ever listed it or an alias of it, in the order of {@link domains}. Excludes sources of the
   * type `crawled`, which derive their lists from the other sources, and inactive ones, see `Store.syncActiveSources`.
   */
  memberships(): Iterable<Membership>;
  /** Published domains with ids above `after` up to `upTo`, in the order of entry. */
  domainOrigins(after: number, upTo: number): DomainOrigin[];
  /** Changes whenever another connection commits; constant on a snapshot. */
  dataVersion(): number;
  /** Reads every due domain, about 0.3 s for a million; counts up to `most`, the longest overdue first. */
  backlog(at: number, most?: number): Backlog;
  /** The listed instances whose last visit was refused, see `REFUSALS`. */
  refusing(): Domain[];
  /** The largest id ever given to a visit; 0 when there was none. Grows with every visit. */
  lastVisitId(): number;
  /** The id of the last recorded change; 0 when there is none. Some changes belong to no visit. */
  lastChangeId(): number;
  /** The workers seen in the last 30 days, by name; empty when there were none. */
  workers(): WorkerRecord[];
  /** Null when no visit was recorded. */
  lastVisit(): LastVisit | null;
  /** The start of a visit; null when it is not stored. */
  visitStartedAt(id: number): number | null;
  /** The time at which Loopscout itself was last found to be offline; null when a host has answered since. */
  offlineSince(): number | null;
  /** The first domain with an id above `after` whose documents are stored; null when there is none. Excludes opted-out domains. */
  nextDomainWithDocuments(after: number): DocumentedDomain | null;
  /** Oldest first. */
  visitsWithDocuments(domain: DocumentedDomain): StoredVisit[];
  /** The visits of a domain, newest first. */
  visitsOf(domain: Domain): IterableIterator<StoredVisit>;
  /** Null when it is missing or damaged. */
  document(id: number): StoredDocument | null;
  /** Every change of the published domains, in the order of recording. */
  changes(): Iterable<DomainChange>;
  /** The published domains that ever were Loops, in the order of {@link domains}; with `isWanted`, only those that it accepts. */
  histories(isWanted?: (domain: Domain) => boolean): Iterable<InstanceHistory>;
  /** All months from the first stored visit to the last. */
  visitMonths(): Month[];
  /** The visits of published domains that began in a month, in the order of recording. */
  visits(month: Month): Iterable<VisitOutcome>;
  /** All months from the first stored usage count to the last. */
  usageMonths(): Month[];
  /** The last counts of each published domain on each day of a month, in the order of {@link domains}, then by time. */
  usage(month: Month): Iterable<DailyUsage>;
}
