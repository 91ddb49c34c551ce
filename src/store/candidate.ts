import type { Domain } from '../domain/domain.ts';

/** A domain that a source lists. */
export interface Candidate {
  readonly domain: Domain;
  /** What the source says that it runs; null when it says nothing. */
  readonly software: string | null;
}

/** How much one source may bring. 0 is no limit. */
export interface EntryLimits {
  /** Domains of the source that may wait for their first visit at a time. */
  readonly most: number;
  /** Domains that may be known of one registrable domain, whoever brought them. */
  readonly mostPerRegistrable: number;
  /** A candidate of which the source says that it runs this, to the letter, is visited before others. */
  readonly softwareId: string;
}

/** What became of candidates: each is counted once. */
export interface EntryCounts {
  readonly entered: number;
  /** Known before; that this source lists them too is kept. */
  readonly known: number;
  /** Not entered, because so many of the source wait already. */
  readonly capped: number;
  /** Not entered, because so many of its registrable domain are known already. */
  readonly crowded: number;
  readonly optedOut: number;
}
