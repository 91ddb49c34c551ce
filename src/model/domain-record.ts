import { z } from 'zod';
import type { Domain } from './domain/domain.ts';
import type { HostFacts } from './facts/host-facts.ts';
import type { Reason } from './reason.ts';
import type { Verdict, Via } from './verdict.ts';

/** Every state and when a domain is in it. The one place where the words are defined. */
export const DOMAIN_STATES = {
  new: 'it is known, and was not visited yet',
  active: 'the last visit succeeded',
  failing: 'the last visit failed, but not yet often or long enough for `dead`',
  dead: 'it failed often and long; it is still visited, rarely',
  gone: 'it answered 410 Gone',
  'opted-out': 'its owner asked to be forgotten; it is never visited, and never published',
} as const;

type AnyState = keyof typeof DOMAIN_STATES;
/** Every state that a domain can be told to be in. */
export const AnyState = z.enum(Object.keys(DOMAIN_STATES) as [AnyState, ...AnyState[]]);

/** Where a known domain stands between visits. Of those that opted out none is known: an opt-out deletes every row that it covers. */
export const DomainState = AnyState.exclude(['opted-out']);
export type DomainState = z.infer<typeof DomainState>;

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
  consecutiveSameOutcome: number;
  /** What was last learnt of the host. */
  host: HostFacts;
}

/** Whether anything may be published of a domain: it does not ask to be left out. */
export function mayBePublished({ host }: Pick<DomainRecord, 'host'>): boolean {
  return host.noindex !== true;
}

/** What a domain was found to redirect to at its last visit. */
export interface KnownAlias {
  to: Domain;
  /** Start of that visit, milliseconds since the epoch. */
  at: number;
}

/** A robots.txt as it was read, kept for at most a day (RFC 9309 section 2.4). */
export interface CachedRobots {
  /** Milliseconds since the epoch. */
  readAt: number;
  /** Null: there is none, and everything is allowed. */
  body: Uint8Array | null;
}
