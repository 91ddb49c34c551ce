import { z } from 'zod';
import type { Domain } from '../model/domain/domain.ts';
import type { CachedRobots, DomainRecord, KnownAlias } from '../model/domain-record.ts';
import type { OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import type { Visit } from '../model/visit.ts';
import type { WorkerRecord } from '../model/worker.ts';
import type { Candidate, EntryCounts, EntryLimits } from './frontier/candidate.ts';
import type { DueDomains, PickedDomain, Requester } from './frontier/pick-domains.ts';
import type { RunEnd, SkippedSource, SourceIdentity } from './sources/source-state.ts';
import type { StoreReader } from './store-reader.ts';

/** A visit of a picked domain, and the record of the domain after the visit. */
export interface RecordedVisit {
  readonly picked: PickedDomain;
  readonly visit: Visit;
  readonly after: DomainRecord;
}

/** The process that crawls with a database. */
export const CrawlingProcess = z.object({
  /** The command, such as `run`. */
  command: z.string(),
  pid: z.number(),
  /** Milliseconds since the epoch. */
  since: z.number(),
});
export type CrawlingProcess = z.infer<typeof CrawlingProcess>;

/** A job that only one process at a time does: crawl, or write the export folder. */
export type Role = 'crawl' | 'export';

/**
 * The database, opened for reading and writing. Every method is synchronous and every transaction is short; all methods throw
 * StoreError. Times are milliseconds since the epoch.
 */
export interface Store extends AsyncDisposable {
  /**
   * Enters the unknown domains, due at `at`, and returns their number; known domains stay unchanged. A thousand domains take about
   * 30 ms in a database of a million: pass no more per call where the event loop must stay responsive.
   */
  enter(domains: readonly Domain[], at: number): number;
  /**
   * Enters domains that other hosts redirect to or name, like {@link Store.enter}, but only while their registrable domain has
   * fewer than `mostPerRegistrable` domains that no source discovered (0: no limit). The limit is needed because the owner of a wildcard
   * DNS record can invent any number of names.
   */
  enterFound(domains: readonly Domain[], at: number, mostPerRegistrable: number): number;
  /** Begins a run of a source and returns its id; null when its host has opted out. */
  beginRun(source: SourceIdentity, at: number): number | null;
  /**
   * Enters the domains that a source lists, due at `at`, stores that it lists them, and adds the results to the counts of the run. Domains
   * that the source reports to run the software are visited earlier, up to 1,000 at a time. As with {@link Store.enter}, pass a thousand
   * at a time.
   *
   * @throws {RunOverError} when the run is no longer in progress.
   */
  enterFrom(run: number, candidates: readonly Candidate[], at: number, limits: EntryLimits): EntryCounts;
  /** @throws {RunOverError} when the run is no longer in progress. */
  endRun(run: number, end: RunEnd, at: number): void;
  /**
   * Stores which sources are active. Inactive sources do not count in {@link StoreReader.memberships}. Writes only if something changed.
   *
   * @param keys the keys of all active sources.
   */
  syncActiveSources(keys: readonly string[]): void;
  /** Stores that due sources were skipped; the same source at most once a minute. */
  recordSkippedSources(sources: readonly SkippedSource[]): void;
  /**
   * The opt-outs, cached in memory. The opt-out of a host covers all its ports, that of a host with a port covers only this port. Both
   * cover the name with and without a leading `www.`. An opt-out by another process is visible within 10 ms, and at once inside a write.
   */
  readonly optedOut: OptOutSet;
  /**
   * Makes domains due by `at`, before all others, and enters unknown ones. A domain that is being visited stays due after that visit. Opted-out
   * domains are skipped and returned.
   */
  requestVisit(
    domains: readonly Domain[],
    at: number,
    request?: { why?: string; origin?: Requester },
  ): { optedOut: Domain[] };
  /** Requests visits and applies `update` to the records. A change of state is recorded with the cause `added`. Opted-out domains are skipped and returned. */
  reactivate(
    domains: readonly Domain[],
    at: number,
    update: (before: DomainRecord) => DomainRecord,
  ): { optedOut: Domain[] };
  /**
   * Opts domains out permanently, known or not: deletes all data of the covered domains (see {@link Store.optedOut}) and the references to
   * them in the rows of other domains, in one transaction. Returns the domains that were already covered.
   */
  forget(domains: readonly Domain[], at: number): Domain[];
  /** The id of the last purge while exported files may still hold purged data; else null. */
  unpublishedPurge(): number | null;
  /** Call it when every exported file has been rewritten after this purge. A later purge stays unpublished. */
  markPurgePublished(purge: number): void;
  /** The due domains; only the process with the role `crawl` picks. */
  readonly due: DueDomains;
  /** Calls methods that write, in one transaction. */
  inOneTransaction<Result>(work: () => Result): Result;
  /**
   * Records visits in one transaction. Returns those that it does not record: of domains that are no longer in progress, because they opted
   * out, and those that are repeated: of domains whose state or failures a user reset since, and those that lead to a host that has opted out since.
   */
  record(results: readonly RecordedVisit[]): RecordedVisit[];
  /** The robots.txt last received from a domain; null when none was. */
  cachedRobots(domain: Domain): CachedRobots | null;
  /** The domain that this one redirected to at its last visit; null when it did not redirect. */
  aliasOf(domain: Domain): KnownAlias | null;
  /** Whether the file at the path is still the one that was opened; false once it was deleted or replaced. */
  isInPlace(): boolean;
  /** Stores the newest release of the software, as published by its project; replaces the previous one. */
  recordRelease(version: string, at: number): void;
  /** Adds the counts of workers to the stored ones, and replaces their other fields. */
  recordWorkers(seen: readonly WorkerRecord[]): void;
  /** Stores that Loopscout itself was offline at a time; the record is valid until a host answers a visit. */
  recordOffline(at: number): void;
  /**
   * Becomes the crawling process until disposed of: counts the visits that an earlier one left in progress, and marks its source runs as
   * broken. If another process is
   * crawling, returns what that process stored of itself.
   */
  startCrawling(
    crawler: CrawlingProcess,
  ): (Disposable & { readonly cutOff: number }) | { readonly heldBy: CrawlingProcess | null };
  /** Changes whenever another connection commits. */
  dataVersion(): number;
  /** Takes a role, which ends when disposed of or when this process dies; null when another process holds it. */
  takeRole(role: Role): Disposable | null;
  /** Opens a read-only connection, which sees committed data; the caller disposes of it. */
  reader(options?: ReaderOptions): StoreReader;
}

/** Thresholds of the flags that depend on other instances or on age. */
export interface FlagOptions {
  /** Number of listed instances under one registrable domain from which each is flagged `crowded-domain`. */
  crowdedFrom: number;
  /** Age of a fact, in days, above which its instance is flagged `stale-facts`. */
  staleDays: number;
}

export interface ReaderOptions {
  /** Default: `crowdedFrom` 10, `staleDays` 7. */
  flags?: FlagOptions;
  /** Reads the state at the time of opening, so that several queries agree. The write-ahead log grows while such a reader is open. */
  snapshot?: boolean;
}
