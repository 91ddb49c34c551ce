import { z } from 'zod';
import type { Domain } from './domain/domain.ts';
import type { HostFacts } from './facts/host-facts.ts';
import type { Reason } from './reason.ts';
import type { EpochMs } from './time.ts';
import type { Verdict, Via } from './verdict.ts';

/** Every state and its meaning. */
export const DOMAIN_STATES = {
  new: 'known, not visited yet; or added again by a user after it was dead or gone',
  active:
    'the last visit succeeded, or found an address that is not public; or one visit of an instance failed, which is not confirmed yet',
  failing: 'visits have failed (of an instance, at least two in a row), but not yet often or long enough for `dead`',
  dead: 'it has failed often and for long; it is still visited, rarely',
  gone: 'it answered 410 Gone',
  'opted-out': 'its owner opted out; it is never visited and never published',
} as const;

type AnyState = keyof typeof DOMAIN_STATES;
/** Every state shown to users. */
export const AnyState = z.enum(Object.keys(DOMAIN_STATES) as [AnyState, ...AnyState[]]);

/** The stored state of a domain. `opted-out` is not stored: an opt-out deletes every row of the domains that it covers. */
export const DomainState = AnyState.exclude(['opted-out']);
export type DomainState = z.infer<typeof DomainState>;

/** The verdicts that identify a host. The others state why it could not be identified. */
export type Conclusive = Extract<Verdict, 'loops' | 'other' | 'alias'>;

/** The stored record of a domain. */
export interface DomainRecord {
  domain: Domain;
  state: DomainState;
  /** When it entered this state, and why, as text. */
  stateSince: EpochMs;
  stateWhy: string;
  /** Verdict and reason of the last visit; null before the first. */
  verdict: Verdict | null;
  reason: Reason | null;
  /** The last verdict that identified the host; null again when an instance has only declined visits for long. */
  identifiedAs: Conclusive | null;
  /** Whether any visit ever ended in `loops`. */
  wasEverLoops: boolean;
  via: Via | null;
  software: string | null;
  version: string | null;
  aliasOf: Domain | null;
  firstSeen: EpochMs;
  lastVisit: EpochMs | null;
  /** The last successful visit. */
  lastSeen: EpochMs | null;
  /** When the next visit is due, and why, as text; null when it is never due. */
  nextVisit: EpochMs | null;
  nextVisitWhy: string | null;
  /** Failed visits in a row, and the time of the first. */
  failures: number;
  failingSince: EpochMs | null;
  /** Visits in a row with the same verdict and, if it is `unreachable`, the same failure class; intervals double with this count. */
  consecutiveSameOutcome: number;
  host: HostFacts;
}

/** Whether the domain may be published: it does not ask to be left out. */
export function mayBePublished({ host }: DomainRecord): boolean {
  return host.noindex !== true;
}

/** The redirect target found at the last visit. */
export interface KnownAlias {
  to: Domain;
  /** Start of that visit. */
  at: EpochMs;
}

/** A robots.txt, cached for at most a day (RFC 9309 section 2.4). */
export interface CachedRobots {
  readAt: EpochMs;
  /** Null when the host has none, so everything is allowed. */
  body: Uint8Array | null;
}
