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
  /** Asked for at each visit, since it may change while a pass goes on. */
  policy: () => Cadence;
  /** Visits at a time; 0 means no limit. */
  limits: { perAddress: number; perRegistrableDomain: number };
  /** Domains worked on at a time: being resolved, in the queue, or visited. */
  window: number;
  /** How often the leases are pushed out; well within the time that they last. */
  renewEveryMs: number;
  /** Whether how a visit ended may be held against the host; false when it is we who are offline. */
  mayBlame: (outcome: Outcome) => Promise<boolean>;
  /** Called as each visit is completed, that is, committed. */
  onCompleted: (visit: Visit) => void;
  /** Called when a visit throws, which none should; one domain that meets a bug of ours must not end the pass for the rest. */
  onBug: (domain: Domain, error: unknown) => void;
  /** Called when another process has the database locked: what is to be written waits. */
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
  /** On `clock`; the wait for a busy address is over by then. */
  startedAt: number;
  hasFailedBefore: boolean;
}

/** Domains that come into the store while a pass goes on. */
export interface Arrivals {
  /** Resolves once some have come since it was last called; false when none did and no more will. */
  next(): Promise<boolean>;
}

export interface PassOptions {
  /** Visits just these, due or not; they must be due in the store. */
  only?: readonly Domain[] | undefined;
  /** The pass waits for these too, and visits them. Unless given, it ends when nothing is due. */
  arrivals?: Arrivals | undefined;
  /** Ends the pass in good order: visits that run are finished and recorded, no other begins. */
  drain?: AbortSignal | undefined;
  /** Stops the pass; visits under way are given up and stay due. */
  signal: AbortSignal;
}
