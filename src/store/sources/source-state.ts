import type { RunOutcome } from '../../model/run-outcome.ts';
import type { EntryCounts } from '../frontier/candidate.ts';

/** What tells a source from others, and what it is called. */
export interface SourceIdentity {
  /** Stays the same for as long as it is the same source. */
  readonly key: string;
  readonly type: string;
  readonly label: string;
}

/** How the reading of a source ended. */
export interface RunEnd {
  readonly outcome: Exclude<RunOutcome, 'broken'>;
  /** Why it is not complete, in words; null when it is. */
  readonly why: string | null;
  /** For the next conditional request, as they were sent (RFC 9110, sections 8.8.2 and 8.8.3). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly requests: number;
  /** Of bodies, as they were received. */
  readonly bytes: number;
  readonly lines: number;
  readonly refused: number;
  readonly refusedByReason: Readonly<Partial<Record<string, number>>>;
  /** Listed more than once in this run. */
  readonly merged: number;
  /** Until when the source asked to be left alone, epoch milliseconds. Null or not given: it did not. */
  readonly notBefore?: number | null;
}

/** One reading of a source. Times are epoch milliseconds. */
export interface SourceRun extends EntryCounts, Omit<RunEnd, 'outcome' | 'etag' | 'lastModified' | 'notBefore'> {
  readonly id: number;
  readonly begunAt: number;
  /** Of one that broke, when that was found, and null until that is written. Null while it is under way, as is `outcome`. */
  readonly endedAt: number | null;
  readonly outcome: RunOutcome | null;
}

/** A source that was to be read and was not asked, the last time. */
export interface SkippedSource {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly why: string;
}

/** A source as its runs left it. */
export interface SourceState extends SourceIdentity {
  readonly id: number;
  /** When it was first read. */
  readonly firstAt: number;
  /** Until when it asked to be left alone; null when it did not. */
  readonly notBefore: number | null;
  readonly lastRun: SourceRun | null;
  /** The last that was complete or unchanged. */
  readonly lastSuccess: SourceRun | null;
  /** The last that was complete: with it, a list that shrank can be told. */
  readonly lastComplete: SourceRun | null;
  /**
   * To ask with whether anything changed; of the last success. Null when that left out what was beyond the limit of those that
   * may wait: it is to be read again.
   */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What a source was worth. */
export interface SourceYield extends SourceState {
  /** Known domains that it has ever listed. */
  readonly domains: number;
  /** Of these, visited at least once; and found to be Loops when it was last clear what they are. */
  readonly visited: number;
  readonly loops: number;
  /** Of `loops`, listed by no other source. */
  readonly onlyHere: number;
  /** Domains that wait for their first visit in its turn. */
  readonly waiting: number;
}

/** That a source lists a domain. */
export interface SourceListing {
  readonly key: string;
  readonly type: string;
  readonly label: string;
  /** Since when, epoch milliseconds. */
  readonly firstAt: number;
  /** What it says that the domain runs; null when it says nothing. */
  readonly software: string | null;
}
