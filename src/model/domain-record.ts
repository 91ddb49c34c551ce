import type { Domain } from './domain/domain.ts';
import type { DomainState } from './domain-state.ts';
import type { HostFacts } from './facts/host-facts.ts';
import type { Reason } from './reason.ts';
import type { Verdict, Via } from './verdict.ts';

/** The verdicts that say what a host is, as opposed to why that could not be learnt. */
export type Conclusive = Extract<Verdict, 'loops' | 'other' | 'alias'>;

/** What is kept of a domain between visits. Times are milliseconds since the epoch. */
export interface DomainRecord {
  domain: Domain;
  state: DomainState;
  /** Since when it is in this state, and what moved it there, in words. */
  stateSince: number;
  stateWhy: string;
  /** Verdict and reason of the last visit; null before the first. */
  verdict: Verdict | null;
  reason: Reason | null;
  /** The last verdict that said what the host is. */
  conclusive: Conclusive | null;
  /** Whether any visit ever ended in `loops`. */
  onceLoops: boolean;
  via: Via | null;
  software: string | null;
  version: string | null;
  aliasOf: Domain | null;
  firstSeen: number;
  lastVisit: number | null;
  /** The last successful visit. */
  lastSeen: number | null;
  /** When the next visit is due, and why then; null when it is never due. */
  nextVisit: number | null;
  nextVisitWhy: string | null;
  /** Failed visits in a row, and when the first of them was. */
  failures: number;
  failingSince: number | null;
  /** Visits in a row that ended in the same verdict and reason class; the doubling of intervals counts these. */
  repeats: number;
  /** What was last learnt of the host. */
  host: HostFacts;
}

/** Whether anything may be published of a domain: it does not ask to be left out. */
export function mayBePublished({ host }: Pick<DomainRecord, 'host'>): boolean {
  return host.noindex !== true;
}
