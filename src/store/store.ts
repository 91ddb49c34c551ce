import type { Domain } from '../model/domain/domain.ts';
import type { CachedRobots, DomainRecord, KnownAlias } from '../model/domain-record.ts';
import type { OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import type { Visit } from '../model/visit.ts';
import type { WorkerRecord } from '../model/worker.ts';
import type { Candidate, EntryCounts, EntryLimits } from './frontier/candidate.ts';
import type { RunEnd, SkippedSource, SourceIdentity } from './sources/source-state.ts';
import type { StoreReader } from './store-reader.ts';

/** A domain that this store may visit until the lease expires or is released. */
export interface LeasedDomain {
  readonly record: DomainRecord;
  /** Unique among the leases that this store took. */
  readonly leaseToken: number;
  /** How often in a row its visit was postponed. */
  readonly postponements: number;
}

/** A visit, its lease, and the record of the domain after the visit. */
export interface RecordedVisit {
  readonly lease: LeasedDomain;
  readonly visit: Visit;
  readonly after: DomainRecord;
}

/** A job that only one process at a time does: run the service, or write the export folder. */
export type Role = 'service' | 'export';

/** Restricts a call to some domains. Meant for short lists: each domain is looked up. */
export interface Only {
  readonly only?: ReadonlySet<Domain> | readonly Domain[] | undefined;
}

/**
 * The database, opened for reading and writing. Every method is synchronous and every transaction is short; all methods throw
 * StoreError. Times are milliseconds since the epoch.
 */
export interface Store extends AsyncDisposable {
  /** The number of leases of dead processes that were reclaimed when the store was opened. */
  readonly reclaimed: number;
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
  /**
   * Begins a run of a source and returns its id; null while another process has claimed the source, or when its host has opted out. Earlier runs of the source become
   * `broken` if they have exceeded their claim or this store never ended them, as do all runs of dead processes.
   *
   * @param until end of the claim. Default: one hour after `at`.
   */
  beginRun(source: SourceIdentity, at: number, until?: number): number | null;
  /**
   * Enters the domains that a source lists, due at `at`, stores that it lists them, and adds the results to the counts of the run. Domains
   * that the source reports to run the software are visited earlier, in proportion to how many of its reports were confirmed. As with
   * {@link Store.enter}, pass a thousand at a time.
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
  /** Makes domains due by `at`, and enters unknown ones; unvisited ones precede all other new domains. Opted-out domains are skipped and returned. */
  requestVisit(domains: readonly Domain[], at: number, why?: string): { optedOut: Domain[] };
  /**
   * Enters the unknown domains, due at `at`, then applies `update` to all. A change of state is recorded with the cause `added`. Opted-out
   * and leased domains are skipped and returned.
   */
  reactivate(
    domains: readonly Domain[],
    at: number,
    update: (before: DomainRecord) => DomainRecord,
  ): { optedOut: Domain[]; leased: Domain[] };
  /**
   * Opts domains out permanently, known or not: deletes all data of the covered domains (see {@link Store.optedOut}) and the references to
   * them in the rows of other domains, in one transaction. Returns the domains that were already covered.
   */
  forget(domains: readonly Domain[], at: number): Domain[];
  /** The id of the last purge while exported files may still hold purged data; else null. */
  unpublishedPurge(): number | null;
  /** Call it when every exported file has been rewritten after this purge. A later purge stays unpublished. */
  markPurgePublished(purge: number): void;
  /**
   * Leases at most `limit` domains that are due at `at`, for the store's lease time. Each priority lane (live Loops instances, new domains,
   * other known domains, dead domains) has a share of every lease, so that none starves. New domains are ordered by rank, which divides
   * their lane among their sources; in the other lanes the longest overdue domain is first. The first visit of a domain is deferred if
   * the same host was visited under another name within the hour, unless a user requested the domain. With `only`, there are neither lanes
   * nor deferrals: the longest overdue domain is first.
   */
  lease(limit: number, at: number, options?: Only): LeasedDomain[];
  /** Whether the lease is still valid: false after it expired and was taken over, or after the domain was forgotten. */
  holds(lease: LeasedDomain): boolean;
  /** Extends every lease of this store to a full lease time after `at`. Call it at least twice per lease time. */
  renew(at: number): void;
  /** Releases unused leases: the domains stay due, and no lost lease is counted. */
  release(domains: readonly LeasedDomain[]): void;
  /** Releases a lease without recording a visit, and sets the next visit to `until`. Does nothing when the lease is no longer valid. */
  postpone(lease: LeasedDomain, visit: { at: number; until: number; why: string }): void;
  /** Releases every lease of this store. */
  releaseAll(): void;
  /** Gives up leases as lost, which counts against their domains: for visits that failed because of a bug, or whose visitor was lost. */
  abandonLeases(domains: readonly LeasedDomain[], at: number): void;
  /**
   * Records visits in one transaction. Not recorded, and returned as `lost`, are those whose lease is no longer valid, and those that lead to
   * a host that has opted out since: the lease of these ends, so that the visit is repeated.
   */
  record(results: readonly RecordedVisit[]): { recorded: number; lost: RecordedVisit[] };
  /**
   * The earliest due time of the domains that wait because of lost leases; null when there is none. Pass the `at` and `only` of the
   * `lease` that returned nothing: domains due by `at` do not count.
   */
  nextRetryAfterLostLease(at: number, options?: Only): number | null;
  /** The robots.txt last received from a domain; null when none was. */
  cachedRobots(domain: Domain): CachedRobots | null;
  /** The domain that this one redirected to at its last visit; null when it did not redirect. */
  aliasOf(domain: Domain): KnownAlias | null;
  /**
   * Reschedules domains whose last visit (or entry, if never visited) is later than `at`, because the clock was ahead: their next visits
   * are moved to keep the same interval, or spread over it when the clock was ahead by more than a day. Also restores next visits that lie
   * before the last visit, because the clock was behind. Returns the number of domains changed.
   */
  repairFutureTimestamps(at: number): number;
  /** Whether the file at the path is still the one that was opened; false once it was deleted or replaced. */
  isInPlace(): boolean;
  /** Stores the newest release of the software, as published by its project; replaces the previous one. */
  recordRelease(version: string, at: number): void;
  /** Adds the counts of workers to the stored ones, and replaces their other fields. */
  recordWorkers(seen: readonly WorkerRecord[]): void;
  /** Stores that Loopscout itself was offline at a time; the record is valid until a host answers a visit. */
  recordOffline(at: number): void;
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
