import type { Domain } from '../../model/domain/domain.ts';

/** A domain that a source lists. */
export interface Candidate {
  readonly domain: Domain;
  /** What the source says that it runs; null when it says nothing. */
  readonly software: string | null;
}

/** Caps on what one source may enter. 0 is no limit. */
export interface EntryLimits {
  /** Domains of the source that may wait for their first visit at a time. */
  readonly most: number;
  /** Domains that the source may discover of one registrable domain. */
  readonly mostPerRegistrable: number;
  /** Domains that it may discover of one host under ports that they name. */
  readonly mostPortsPerHost: number;
  /** A candidate of which the source says that it runs this, to the letter, counts as reported to be Loops. */
  readonly softwareId: string;
}

/** What became of candidates: each is counted once. */
export interface EntryCounts {
  readonly entered: number;
  /** Known before; that this source lists them too is kept. */
  readonly known: number;
  /** Not entered, because as many of the source as may wait do so already. */
  readonly queueFull: number;
  /** Not entered, because the source discovered as many of its registrable domain, or ports of its host, as it may. */
  readonly cappedByDomain: number;
  readonly optedOut: number;
}
