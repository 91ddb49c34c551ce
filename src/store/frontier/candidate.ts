import type { Domain } from '../../model/domain/domain.ts';

/** A domain that a source lists. */
export interface Candidate {
  readonly domain: Domain;
  /** The software that the source reports; null when it reports none. */
  readonly software: string | null;
}

/** Limits on the domains that one source may enter (0 means no limit), and the software name that marks a domain as Loops. */
export interface EntryLimits {
  /** Maximum unvisited domains in the queues of the source; more are entered only if they are reported to be Loops. */
  readonly most: number;
  /** Maximum domains discovered by the source under one registrable domain. */
  readonly mostPerRegistrable: number;
  /** Maximum domains with a port discovered by the source on one host. */
  readonly mostPortsPerHost: number;
  /** A candidate with exactly this software counts as reported to be Loops. */
  readonly softwareId: string;
}

/** The number of candidates with each result; each candidate has one result. */
export interface EntryCounts {
  readonly entered: number;
  readonly known: number;
  /** Not entered: the queues of the source are full. */
  readonly queueFull: number;
  /** Not entered: the source reached its limit for the registrable domain, or for ports of the host. */
  readonly cappedByDomain: number;
  readonly optedOut: number;
}
