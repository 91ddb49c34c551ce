import type { RunOutcome } from '../../model/run-outcome.ts';
import type { EntryCounts } from '../frontier/enter-from.ts';

export interface SourceIdentity {
  /** Unique and stable. */
  readonly key: string;
  readonly type: string;
  readonly label: string;
}

/** The result of a source run. */
export interface RunEnd {
  readonly outcome: Exclude<RunOutcome, 'broken'>;
  /** Why the run is incomplete; null when it is complete. */
  readonly why: string | null;
  /** For the next conditional request, as received (RFC 9110, sections 8.8.2 and 8.8.3). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly requests: number;
  /** Bytes of the response bodies. */
  readonly bytes: number;
  readonly lines: number;
  readonly refused: number;
  readonly refusedByReason: Readonly<Partial<Record<string, number>>>;
  /** Duplicates in this run. */
  readonly merged: number;
  /** The earliest next request, as the server asked (Retry-After), epoch milliseconds; null or undefined when it did not. */
  readonly notBefore?: number | null;
}

/** A run of a source. Times are epoch milliseconds. */
export interface SourceRun extends EntryCounts, Omit<RunEnd, 'outcome' | 'etag' | 'lastModified' | 'notBefore'> {
  readonly id: number;
  readonly begunAt: number;
  /** Null while the run is in progress. For a broken run, the time at which the break was stored; null until then. */
  readonly endedAt: number | null;
  /** Null while the run is in progress. */
  readonly outcome: RunOutcome | null;
}

/** A source that was skipped when due. */
export interface SkippedSource {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly why: string;
}

/** A source and its last runs. Times are epoch milliseconds. */
export interface SourceState extends SourceIdentity {
  readonly id: number;
  /** Under which it is published, see `sourceNames`. */
  readonly name: string;
  /** Whether the settings have it, and enable it. */
  readonly isActive: boolean;
  /** Start of the first run. */
  readonly firstAt: number;
  /** The earliest next request, as requested by the server in the last run; null when it requested none. */
  readonly notBefore: number | null;
  readonly lastRun: SourceRun | null;
  /** The last run that was complete or unchanged. */
  readonly lastSuccess: SourceRun | null;
  /** The last complete run; used to detect a list that shrank. */
  readonly lastComplete: SourceRun | null;
  /** Validator of the last success, for a conditional request. Null if a full queue made that run omit domains, so the next run reads all. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A source and counts of the known domains that it has ever listed. */
export interface SourceYield extends SourceState {
  readonly domains: number;
  /** Visited at least once. */
  readonly visited: number;
  /** The last conclusive verdict is `loops`. */
  readonly loops: number;
  /** The part of `loops` that no other source lists. */
  readonly onlyHere: number;
  /** Domains in its queues that wait for their first visit. */
  readonly waiting: number;
}

/** The listing of a domain by a source. Times are epoch milliseconds. */
export interface SourceListing extends SourceIdentity, ListedBy {
  /** The software that the source reports; null when it reports none. */
  readonly software: string | null;
}

/** A source that has listed a domain, and when. */
export interface ListedBy {
  /** The name under which the source is published. */
  readonly source: string;
  readonly firstAt: number;
  /** The last run that found it on the list, or the list unchanged. */
  readonly lastAt: number;
}
