import type { Connectivity } from '../http/connectivity.ts';
import type { Identifier } from '../identify/identifier.ts';
import type { Cadence } from '../model/cadence.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { Visit } from '../model/visit.ts';
import type { VisitQueue } from '../queue/visit-queue.ts';
import type { Store } from '../store/store.ts';

export interface CrawlParts {
  store: Store;
  queue: VisitQueue;
  identifier: Identifier;
  /** Read at each visit, because it can change during a pass. */
  cadence: () => Cadence;
  /** Maximum concurrent visits per IP address, and per registrable domain; 0: no limit. */
  limits: { perAddress: number; perRegistrableDomain: number };
  /** Maximum domains that are being resolved or visited, or wait for the global limits. Waits for a busy host or address do not count. */
  maxInProgress: number;
  /** Interval at which leases are renewed; much shorter than a lease. */
  renewEveryMs: number;
  /** False when a failed visit shows that we are offline. Called after every visit. */
  isHostAtFault: Connectivity['isHostAtFault'];
  /** Called after each visit is committed. */
  onCompleted: (visit: Visit) => void;
  /** Called after a visit was postponed because of the limits for third-party hosts. */
  onPostponed?: ((domain: Domain) => void) | undefined;
  /** Called when a visit throws, which is a bug. The pass continues with the other domains. */
  onBug: (domain: Domain, error: unknown) => void;
  /** Called when writes are delayed because another process has locked the database. */
  onLocked: () => void;
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  random: () => number;
}

/** Notifies the pass of new domains. */
export interface Arrivals {
  /** Resolves true when domains were added since the last call, false when no more will be added. */
  next(): Promise<boolean>;
}

export interface PassOptions {
  /** Restricts the pass to these domains. */
  only?: readonly Domain[] | undefined;
  /** New domains, for which the pass also waits. Default: the pass ends when nothing is due. */
  arrivals?: Arrivals | undefined;
  /** Graceful stop: running visits finish and are recorded; no other visit starts. */
  drain?: AbortSignal | undefined;
  /** Immediate stop: running visits are abandoned and stay due. */
  signal: AbortSignal;
}
