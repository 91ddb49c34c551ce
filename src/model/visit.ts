import type { Domain } from './domain/domain.ts';
import type { CachedRobots, DomainState } from './domain-record.ts';
import type { HostFacts, NoindexSignal } from './facts/host-facts.ts';
import type { Hosting } from './facts/hosting.ts';
import type { InstanceFacts, InstanceFlag } from './facts/instance-facts.ts';
import type { Reason } from './reason.ts';
import type { Step } from './step.ts';
import type { EpochMs } from './time.ts';
import type { Verdict, Via } from './verdict.ts';

/** The probes whose responses are stored unchanged. */
export type DocumentKind = 'config' | 'discovery' | 'nodeinfo';

/** One completed identification attempt of one domain. */
export interface Visit {
  domain: Domain;
  /** Start. */
  at: EpochMs;
  durationMs: number;
  verdict: Verdict;
  reason: Reason;
  /** Null unless the verdict is `loops` or `other`. */
  via: Via | null;
  software: string | null;
  version: string | null;
  /** The redirect target; null if it opted out, or the verdict is not `alias`. */
  aliasOf: Domain | null;
  /** Null unless the verdict is `loops`. */
  facts: InstanceFacts | null;
  steps: readonly Step[];
  /** The bodies of 2xx responses, after decompression. */
  documents: Partial<Record<DocumentKind, Uint8Array>>;
  /** Retry-After in milliseconds; null when the host sent none. */
  retryAfterMs: number | null;
  host: HostFacts;
  /** What is known of `host.address`; a fact is missing, not null, when no database was asked for it. */
  hosting?: Partial<Hosting>;
  /** The noindex signals that were checked and not found. */
  absentNoindexSignals?: readonly NoindexSignal[];
  /** The robots.txt that was fetched; null when none was, or the cached one was still valid. */
  robots: CachedRobots | null;
}

/** A visit as published: without its requests and documents. */
export interface VisitOutcome
  extends Pick<Visit, 'at' | 'durationMs' | 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf'> {
  /** Ascending in the order of recording. */
  id: number;
  domain: Domain;
  /** State of the domain after the visit; null for visits from before states were recorded. */
  state: DomainState | null;
  /** Null unless the verdict is `loops`. */
  flags: readonly InstanceFlag[] | null;
}

/** Whether the visit that read these facts read NodeInfo too. After config it is requested unless federation is off. */
export function wasNodeInfoRead(facts: InstanceFacts, via: Via): boolean {
  if (via === 'nodeinfo' || facts.usage.asOf !== null) return true;
  return facts.federation !== false && !facts.flags.includes('nodeinfo-unavailable');
}
