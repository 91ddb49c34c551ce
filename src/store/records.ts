import type { Change } from '../model/change.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { DomainState } from '../model/domain-record.ts';
import type { Reason } from '../model/reason.ts';
import type { UptimeVisit } from '../model/uptime.ts';
import type { Verdict } from '../model/verdict.ts';
import type { DocumentKind, Visit } from '../model/visit.ts';

/** A recorded visit; `documents` are ids for `StoreReader.document`. */
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
  /** The published name of each source, in the order of their first runs; empty when no source lists it. */
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
