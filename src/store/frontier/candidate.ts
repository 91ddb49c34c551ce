import type { Domain } from '../../model/domain/domain.ts';

/** A domain that a source lists. */
export interface Candidate {
  readonly domain: Domain;
  /** The software that the source reports; null when it reports none. */
  readonly software: string | null;
}

/** Limits on the domains that one source may enter; 0 means no limit. */
export interface EntryLimits {
  /** Domains in the queues of the source that wait for their first visit. */
  readonly most: number;
  /** Domains discovered by the source under one registrable domain. */
  readonly mostPerRegistrable: number;
  /** Domains with a port discovered by the source on one host. */
  readonly mostPortsPerHost: number;
  /** A candidate with exactly this software counts as reported to be Loops. */
  readonly softwareId: string;
}

/** Results for candidates: each is counted once. */
export interface EntryCounts {
  readonly entered: number;
  readonly known: number;
  /** Not entered: the queues of the source are full. */
  readonly queueFull: number;
  /** Not entered: the source reached its limit for the registrable domain, or for ports of the host. */
  readonly cappedByDomain: number;
  readonly optedOut: number;
}
