import type { Identifier } from '../identify/identifier.ts';
import type { Cadence } from '../model/cadence.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { Reason } from '../model/reason.ts';
import type { Step } from '../model/step.ts';
import type { Visit } from '../model/visit.ts';
import type { VisitQueue } from '../queue/visit-queue.ts';
import type { Store } from '../store/store.ts';

export interface CrawlParts {
  store: Store;
  queue: VisitQueue;
  identifier: Identifier;
  /** Called for each visit, because the settings may change during a pass. */
  policy: () => Cadence;
  /** Concurrent visits; 0 means no limit. */
  limits: { perAddress: number; perRegistrableDomain: number };
  /** Domains in progress at a time: being resolved, queued or visited. */
  window: number;
  /** Interval of lease renewal; must be well below the lease duration. */
  renewEveryMs: number;
  /** Whether a failure may be recorded for the host; false when the crawler itself is offline. */
  mayBlame: (outcome: Outcome) => Promise<boolean>;
  /** Called when a visit is committed. */
  onCompleted: (visit: Visit) => void;
  /** Called when a visit throws, which is a bug; the pass continues with the other domains. */
  onBug: (domain: Domain, error: unknown) => void;
  /** Called when a write waits because another process has locked the database. */
  onLocked: () => void;
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  random: () => number;
}

export interface Outcome {
  host: string;
  /** Null unless the verdict is `unreachable`. */
  failure: Reason | null;
  steps: readonly Step[];
  /** On `clock`, after the wait for a busy address. */
  startedAt: number;
  hasFailedBefore: boolean;
}

/** Signals domains that are stored during a pass. */
export interface Arrivals {
  /** Resolves with true once domains were stored since the last call; with false when no more will come. */
  next(): Promise<boolean>;
}

export interface PassOptions {
  /** Visits only these; they must be due in the store. */
  only?: readonly Domain[] | undefined;
  /** The pass also waits for these. Undefined: it ends when no domain is due. */
  arrivals?: Arrivals | undefined;
  /** Drains the pass: running visits finish and are recorded, no other starts. */
  drain?: AbortSignal | undefined;
  /** Stops the pass: running visits are abandoned and stay due. */
  signal: AbortSignal;
}
