import { setTimeout as delay } from 'node:timers/promises';
import type { App } from './app.ts';
import type { Domain } from './domain/domain.ts';
import { afterAdded } from './schedule/after-added.ts';
import { retryWhileLocked } from './store/retry-while-locked.ts';
import type { StoredVisit } from './store/store-reader.ts';

/** Why a visit is due that a person asked for. */
const WHY = 'asked for by name';
/** How often it is looked whether another process has recorded its visit. */
const LOOK_EVERY_MS = 200;

export interface Added {
  /** Left alone, since their owners opted out. */
  optedOut: Domain[];
  /** Being visited by another process right now, and left to it. */
  leased: Domain[];
  /** The last visit recorded by then: what is newer came after. */
  lastVisitId: number;
}

/** Enters domains, due now; what failed before counts no more. */
export async function addDomains(app: App, domains: readonly Domain[], signal: AbortSignal): Promise<Added> {
  const at = Date.now();
  using reader = app.store.reader();
  const lastVisitId = reader.lastVisitId();
  const revive = () => app.store.revive(domains, at, (before) => afterAdded(before, at, WHY));
  return { ...(await retryWhileLocked(revive, { signal })), lastVisitId };
}

/**
 * Waits for visits that another process makes; answers those recorded after `lastVisitId` by the time that all are, or `forMs` is
 * over, or the signal aborts.
 */
export async function awaitVisits(
  app: App,
  domains: readonly Domain[],
  { lastVisitId, forMs, signal }: { lastVisitId: number; forMs: number; signal: AbortSignal },
): Promise<StoredVisit[]> {
  const found = new Map<Domain, StoredVisit>();
  const until = performance.now() + forMs;
  using reader = app.store.reader();
  for (;;) {
    for (const domain of domains) {
      const [latest] = reader.visitsOf(domain);
      if (latest !== undefined && latest.id > lastVisitId && !found.has(domain)) found.set(domain, latest);
    }
    if (found.size === domains.length || signal.aborted || performance.now() >= until) return [...found.values()];
    await delay(LOOK_EVERY_MS);
  }
}
