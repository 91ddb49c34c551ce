import type { Domain } from './domain/domain.ts';
import type { HostFacts, NoindexWay } from './facts/host-facts.ts';
import type { InstanceFacts } from './facts/instance-facts.ts';
import type { KeptRobots } from './kept-robots.ts';
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
  robots: KeptRobots | null;
}
