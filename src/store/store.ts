import type { Domain } from '../model/domain/domain.ts';
import type { CachedRobots, DomainRecord, KnownAlias } from '../model/domain-record.ts';
import type { OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import type { LoggedVisit, Visit } from '../model/visit.ts';
import type { Candidate, EntryCounts, EntryLimits } from './frontier/candidate.ts';
import type { AsOf } from './history/as-of.ts';
import type { RunEnd, SkippedSource, SourceIdentity } from './sources/source-state.ts';
import type { StoreReader } from './store-reader.ts';

/** A domain that this store may visit until the lease expires or is given back. */
export interface LeasedDomain {
  readonly record: DomainRecord;
  /** Tells this lease from any other that this store took. */
  readonly leaseToken: number;
}

/** What a visit decided, and what is to be kept of its domain from now on. */
export interface RecordedVisit {
  readonly lease: LeasedDomain;
  readonly visit: Visit;
  readonly after: DomainRecord;
}

/** What one process at a time does: be the service, write the export folder, or redact opted-out names. */
export type Role = 'service' | 'export' | 'purge';

/** What today's parsers make of the documents of a visit. */
export interface Correction {
  readonly visitId: number;
  readonly visit: Pick<
    LoggedVisit,
    'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf' | 'canonicalHost' | 'facts'
  >;
  /** The former values of what changes, by field; kept for whoever audits the log. */
  readonly replaced: Readonly<Record<string, unknown>>;
}

/** How a log makes a domain; pure functions. */
export interface ReplayRules {
  /** What some visits, newest first, leave of the counts of a domain. */
  countsAfter(
    visits: Iterable<Pick<Visit, 'at' | 'verdict' | 'reason'>>,
    onceLoops: boolean,
  ): Pick<DomainRecord, 'failures' | 'failingSince' | 'consecutiveSameOutcome'>;
  afterVisit(before: DomainRecord, visit: LoggedVisit): DomainRecord;
  /** Somebody asked for the domain by name. */
  afterAdded(before: DomainRecord, at: number): DomainRecord;
  /** @param folded what the log comes to, which ends with `last`. */
  present(before: DomainRecord, folded: DomainRecord, last: LoggedVisit): DomainRecord;
}

/** Restricts a call to some domains; meant for as many as a person names, since each of them is looked up. */
export interface Only {
  readonly only?: ReadonlySet<Domain> | readonly Domain[] | undefined;
}

/**
 * The database, opened by one owner of leases. Every method is synchronous and every transaction short; all throw
 * StoreError. Times are milliseconds since the epoch.
 */
export interface Store extends AsyncDisposable {
  /** How many leases of dead owners were taken back when the store was opened. */
  readonly reclaimed: number;
  /**
   * Enters the domains not yet known, due at `at`; answers how many were new. Known ones are left as they are. A thousand
   * take some 30 ms in a database of a million: pass no more at a time where the event loop must stay free.
   */
  enter(domains: readonly Domain[], at: number): number;
  /**
   * Enters domains that others lead to, as {@link Store.enter}, but none of a registrable domain of which `mostKnown` are known
   * already that no source brought: who answers for every name below theirs can make up as many as they like.
   */
  enterFound(domains: readonly Domain[], at: number, mostKnown: number): number;
  /**
   * Begins a reading of a source and answers its number; null while another process reads it, until the time that it claimed the source
   * for. Readings that a process left behind when it died, and those of the same source that went on for longer than they claimed, or
   * that this store never ended, become `broken`.
   *
   * @param until for how long it is claimed; an hour unless given.
   */
  beginRun(source: SourceIdentity, at: number, until?: number): number | null;
  /**
   * Enters what a source lists, due at `at`, and keeps that it does, of known domains too. What it reports to run the software is visited
   * before others, as far as its reports proved true. Counted with the run as it goes on. As {@link Store.enter}, a thousand at a time.
   *
   * @throws {RunOverError} when the run is no longer under way.
   */
  enterFrom(run: number, candidates: readonly Candidate[], at: number, limits: EntryLimits): EntryCounts;
  /** @throws {RunOverError} when it is no longer under way. */
  endRun(run: number, end: RunEnd, at: number): void;
  /**
   * Keeps which sources are read: others that were ever read no longer count among those that list an instance, until they come back.
   * Only what changed is written.
   *
   * @param keys of all that are read.
   */
  syncActiveSources(keys: readonly string[], at: number): void;
  /** Keeps that sources were to be read and were not asked; noted again a minute later at the earliest. */
  recordSkippedSources(sources: readonly SkippedSource[]): void;
  /**
   * The opt-outs in force, in memory. One of a host covers it at every port, one of a host with a port that port alone; both with and
   * without a leading `www.`. One that another process makes holds within 10 ms, and at once for what is written.
   */
  readonly optedOut: OptOutSet;
  /** Makes domains due at `at`, ahead of all new ones, entering those not yet known; the opted-out are left alone and named in the answer. */
  requestVisit(domains: readonly Domain[], at: number, why?: string): { optedOut: Domain[] };
  /**
   * Does to domains what `revived` says, entering those not yet known first, due at `at`; a change of state is kept with the cause
   * `added`. The opted-out are left alone, and so are those that are being visited now: both are named in the answer.
   */
  reactivate(
    domains: readonly Domain[],
    at: number,
    revived: (before: DomainRecord) => DomainRecord,
  ): { optedOut: Domain[]; leased: Domain[] };
  /**
   * Opts domains out for good, known or not, and purges everything stored of what that covers (see {@link Store.optedOut}), from the
   * file's free pages too, and redacts their names in the rows of others; while another process is redacting, it does this as well. Answers
   * those that an opt-out covered before, and whether the file was rewritten since: not when it is large, or others kept the database busy;
   * then a rare copy can stay in the unused part of a page until that is used again, or until the next purge or compaction.
   */
  forget(domains: readonly Domain[], at: number): { already: Domain[]; isScrubbed: boolean };
  /** Whether names of opted-out domains are still to be redacted, by a purge under way or, after its process died, by the next `forget`. */
  isRedactionDue(): boolean;
  /** The number of the last purge, while files that were published before it may hold what it purged; else null. */
  unpublishedPurge(): number | null;
  /** Every file was written anew after this purge; does nothing if another came since. */
  markPurgePublished(purge: number): void;
  /**
   * Leases at most `limit` domains that are due at `at`, for the store's lease time. Each priority lane (live Loops instances, new domains,
   * other known domains, the dead) has its share of every lease, so that none can starve another. New domains come by rank, which divides
   * their lane among their sources; in the other lanes the longest due comes first. The first visit of a domain whose site was visited under
   * another name within the hour is deferred instead, unless the domain was asked for by name.
   */
  lease(limit: number, at: number, options?: Only): LeasedDomain[];
  /** Whether a lease is still this store's: not when it expired and another took it, nor when the domain was forgotten. */
  holds(lease: LeasedDomain): boolean;
  /** Lets every lease of this store expire a full lease time after `at`; to be called at least twice in that time. */
  renew(at: number): void;
  /** Gives leases back unused: the domains stay due and nothing is counted against them. */
  release(domains: readonly LeasedDomain[]): void;
  /** Gives back every lease of this store, such as those of a pass that could not give them back itself. */
  releaseAll(): void;
  /** Gives leases back as lost, counted against their domains: for visits that broke on a bug of ours. */
  abandonLeases(domains: readonly LeasedDomain[], at: number): void;
  /**
   * Records visits in one transaction: when this returns, they are completed, but for those in `lost`, whose lease was meanwhile lost:
   * the domain is someone else's now, or was forgotten.
   */
  record(results: readonly RecordedVisit[]): { recorded: number; lost: RecordedVisit[] };
  /**
   * When the first of the domains that wait only because of lost leases is due; null when none does. Pass the `at` (and
   * `only`) of the `lease` that came back empty: what is due by then is not counted as waiting.
   */
  nextLostLease(at: number, options?: Only): number | null;
  /** The robots.txt that was last read of a domain; null when none was. */
  cachedRobots(domain: Domain): CachedRobots | null;
  /** What this domain redirected to at its last visit; null when it did not. */
  aliasOf(domain: Domain): KnownAlias | null;
  /**
   * Domains whose last visit, or entry where there was none, lies after `at` are of a clock that was ahead: their next visits are put back
   * by as much, and nothing else. Answers how many were.
   */
  repairFutureTimestamps(at: number): number;
  /** Whether the file at the path is still the one that was opened; false once it was deleted or replaced. */
  isInPlace(): boolean;
  /**
   * Corrects visits of a domain and everything that follows from them, in one transaction: the log from the first of them on is what it
   * would be had they said this at once. Changes that were none before have the cause `replay` and the time of their visit. False when nothing was written: the domain is leased or opted out, or
   * the visits are gone.
   */
  correct(domain: Domain, corrections: readonly Correction[], at: number, rules: ReplayRules): boolean;
  /** Keeps the newest release of the software, as its project tells it; it takes the place of the one before. */
  recordRelease(version: string, at: number): void;
  /** Keeps that we were found to be offline at a time, until a visit is answered. */
  recordOffline(at: number): void;
  /** Takes a role that one process at a time may have on this database, until disposed of or dead; null when another has it. */
  takeRole(role: Role): Disposable | null;
  /** A new read-only connection, which sees what is committed; the caller disposes of it. */
  reader(options?: ReaderOptions): StoreReader;
}

/** When instances are flagged for what others are, and for age. */
export interface FlagOptions {
  /** So many listed instances under one registrable domain make each of them `crowded-domain`. */
  crowdedFrom: number;
  /** A fact that was last read longer ago makes its instance `stale-facts`. */
  staleDays: number;
}

export interface ReaderOptions {
  /** 10 and 7 unless given. */
  flags?: FlagOptions;
  /**
   * Everything read is of the moment of opening, so that several queries agree. The write-ahead log grows for as long
   * as such a reader is open.
   */
  snapshot?: boolean;
  /** Everything read is of a past moment, as far as it is published; a snapshot. */
  asOf?: AsOf;
}
