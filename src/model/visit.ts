import type { Domain } from './domain/domain.ts';
import type { CachedRobots, DomainState } from './domain-record.ts';
import type { HostFacts, NoindexWay } from './facts/host-facts.ts';
import type { InstanceFacts, InstanceFlag } from './facts/instance-facts.ts';
import type { Reason } from './reason.ts';
import type { Step } from './step.ts';
import type { Verdict, Via } from './verdict.ts';

/** The probes whose answers are kept as they came. */
export type DocumentKind = 'config' | 'discovery' | 'nodeinfo';

/** One identification attempt of one domain, as it ended. */
export interface Visit {
  domain: Domain;
  /** Start, milliseconds since the epoch. */
  at: number;
  durationMs: number;
  verdict: Verdict;
  reason: Reason;
  /** Null unless the verdict is `loops` or `other`. */
  via: Via | null;
  software: string | null;
  version: string | null;
  /** The host redirected to; null unless the verdict is `alias`. */
  aliasOf: Domain | null;
  /** Null unless the verdict is `loops`. */
  facts: InstanceFacts | null;
  steps: readonly Step[];
  /** The bodies of 2xx answers, as received after decompression. */
  documents: Partial<Record<DocumentKind, Uint8Array>>;
  /** How long the host asked to be left alone (Retry-After), in milliseconds; null when it did not. */
  retryAfterMs: number | null;
  /** What was learnt of the host apart from what it runs. */
  host: HostFacts;
  /** Of the ways in which a host asks not to be published, those that were looked for and not found; absent: none was. */
  readWithoutNoindex?: readonly NoindexWay[];
  /** The robots.txt that was read; null when none was, or an earlier one still held. */
  robots: CachedRobots | null;
}

/** What one visit decided, as it is published: without the requests it made and the documents it received. */
export interface VisitOutcome
  extends Pick<Visit, 'at' | 'durationMs' | 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf'> {
  /** Ascending in the order of recording. */
  id: number;
  domain: Domain;
  /** Of the domain after the visit; null of visits from before it was recorded. */
  state: DomainState | null;
  /** Of what the visit read; null unless the verdict is `loops`. */
  flags: readonly InstanceFlag[] | null;
}

/** A visit as the log has it: what it said, corrected or not, and what it set of its domain when it was recorded. */
export interface LoggedVisit
  extends Pick<
    Visit,
    'at' | 'durationMs' | 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf' | 'facts' | 'retryAfterMs'
  > {
  /** Null when they are no longer kept. */
  readonly steps: Visit['steps'] | null;
  /** Milliseconds since the epoch, as is `nextVisit`, which is null when never due. */
  readonly recordedAt: number;
  readonly canonicalHost: Domain | null;
  readonly state: DomainState;
  readonly nextVisit: number | null;
  readonly noindex: boolean | null;
}

/**
 * Whether the visit that read these facts of an instance read its NodeInfo document too. After config it is asked for unless
 * federation is off, and a flag tells when it could not be had.
 */
export function nodeInfoWasRead(facts: InstanceFacts, via: Via): boolean {
  if (via === 'nodeinfo' || facts.usage.asOf !== null) return true;
  return facts.federation !== false && !facts.flags.includes('nodeinfo-unavailable');
}
