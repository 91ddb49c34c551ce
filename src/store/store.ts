import type { Domain } from '../domain/domain.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import type { KeptRobots } from '../record/kept-robots.ts';
import type { KnownAlias } from '../record/known-alias.ts';
import type { Visit } from '../record/visit.ts';
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
   * already: who answers for every name below theirs can make up as many as they like.
   */
  enterFound(domains: readonly Domain[], at: number, mostKnown: number): number;
  /** Makes domains due at `at`, entering those not yet known; the opted-out are left alone and named in the answer. */
  requestVisit(domains: readonly Domain[], at: number, why?: string): { optedOut: Domain[] };
  /** Leases at most `limit` domains that are due at `at`, the longest due first, for the store's lease time. */
  lease(limit: number, at: number, options?: Only): LeasedDomain[];
  /** Lets every lease of this store expire a full lease time after `at`; to be called at least twice in that time. */
  renew(at: number): void;
  /** Gives leases back unused: the domains stay due and nothing is counted against them. */
  release(domains: readonly LeasedDomain[]): void;
  /**
   * Records visits in one transaction: when this returns, they are completed. A visit whose lease was meanwhile lost is
   * not recorded, because its domain is someone else's now.
   */
  record(results: readonly RecordedVisit[]): { recorded: number; lost: number };
  /**
   * When the first of the domains that wait only because of lost leases is due; null when none does. Pass the `at` (and
   * `only`) of the `lease` that came back empty: what is due by then is not counted as waiting.
   */
  nextLostLease(at: number, options?: Only): number | null;
  /** The robots.txt that was last read of a domain; null when none was. */
  keptRobots(domain: Domain): KeptRobots | null;
  /** What this domain redirected to at its last visit; null when it did not. */
  aliasOf(domain: Domain): KnownAlias | null;
  /** A new read-only connection, which sees what is committed; the caller disposes of it. */
  reader(options?: ReaderOptions): StoreReader;
}

export interface ReaderOptions {
  /**
   * Everything read is of the moment of opening, so that several queries agree. The write-ahead log grows for as long
   * as such a reader is open.
   */
  snapshot?: boolean;
}
