import { createAliasFollower } from '../identify/aliases.ts';
import type { Resolved } from '../identify/identifier.ts';
import { hostOf } from '../model/domain/domain.ts';
import { redactVisit } from '../model/opt-outs/redact-names.ts';
import type { Visit } from '../model/visit.ts';
import { createBatch } from '../queue/batch.ts';
import { afterVisit } from '../schedule/after-visit.ts';
import { retryWhileLocked } from '../store/sqlite/retry-while-locked.ts';
import { StoreError } from '../store/sqlite/store-error.ts';
import type { LeasedDomain, RecordedVisit } from '../store/store.ts';
import { claimsOf } from './claims.ts';
import type { Arrivals, CrawlParts, PassOptions } from './crawl-parts.ts';

/** How a pass ended: every due domain visited, stopped from outside, or found that nothing answers at all. */
export type CrawlEnd = 'done' | 'stopped' | 'offline';

/** Of the domains that wait for a busy address, so many may hold a lease besides the window; a few kilobytes each. */
const MAX_WAITING = 10_000;
/** A pass waits so long for domains that are held back because their leases were lost. */
const LOST_LEASE_PATIENCE_MS = 60_000;
/** When the pass is to end, another process may keep the database locked for no longer. */
const LAST_PATIENCE = { forMs: 2_000 };
/** Each commit writes the pages it touches anew, so few large ones cost less; a crash repeats the visits of one. */
const BATCH = { size: 256, waitMs: 250 };

/**
 * One pass: due domains -> queue -> identify -> record -> store, until nothing is due.
 *
 * @throws what the store throws, once every visit under way has been given up.
 */
export async function crawl(parts: CrawlParts, options: PassOptions): Promise<CrawlEnd> {
  const { store, queue, identifier, policy, limits, window, renewEveryMs, now, clock, random } = parts;
  const { onCompleted, onBug, onLocked } = parts;
  const only = { only: options.only };
  const underWay = new Map<LeasedDomain, Promise<void>>();
  const giveUp = new AbortController();
  /** Given back at the end, so that the next pass takes them: not begun when this one was to end. */
  const notBegun: LeasedDomain[] = [];
  /** They keep their leases to the end of the pass, so that it does not try again, and lose them then. */
  const metBug: LeasedDomain[] = [];
  /** Of those under way: worked on, waiting for a busy address, and not yet handed to the batch. */
  const count = { active: 0, waiting: 0, undecided: 0 };
  let end: CrawlEnd = 'done';
  let failure: unknown = null;
  let progress = Promise.withResolvers<void>();
  let mayCome = options.arrivals !== undefined;

  const stop = (why: CrawlEnd, error: unknown = null) => {
    if (giveUp.signal.aborted) return;
    end = why;
    failure = error;
    giveUp.abort();
    queue.cancelAll();
    identifier.cancelAll();
    progress.resolve();
  };
  let isDraining = false;
  const onDrain = () => {
    isDraining = true;
    queue.cancelAll();
    progress.resolve();
  };
  const onSignal = () => stop('stopped');
  options.signal.addEventListener('abort', onSignal, { once: true });
  options.drain?.addEventListener('abort', onDrain, { once: true });
  if (options.drain?.aborted) onDrain();
  if (options.signal.aborted) onSignal();

  const patience = { onWait: onLocked, signal: giveUp.signal };
  const followAliases = createAliasFollower(store, now);
  const batch = createBatch<RecordedVisit>(BATCH, async (results) => {
    const { lost } = await retryWhileLocked(() => store.record(results), patience);
    // A host may have opted out since the visit was decided.
    const visits = results
      .filter((result) => !lost.includes(result))
      .map(({ visit }) => redactVisit(visit, store.optedOut));
    for (const visit of visits) onCompleted(visit);
    await retryWhileLocked(() => followAliases(visits), patience);
  });

  async function visitOne(lease: LeasedDomain): Promise<void> {
    count.undecided++;
    const result = await decideOne(lease).finally(() => {
      count.undecided--;
    });
    const recorded = result === null ? null : batch.add(result);
    // Nobody else is about to come: waiting for company would only hold up the end.
    if (count.undecided === 0) batch.flush();
    await recorded;
  }

  /** What is to be recorded; null when nothing is. */
  async function decideOne(lease: LeasedDomain): Promise<RecordedVisit | null> {
    const { domain } = lease.record;
    let startedAt = clock();
    count.active++;
    const decided = await decide(lease, () => {
      startedAt = clock();
    });
    count.active--;
    progress.resolve();
    if (decided === null || giveUp.signal.aborted) return null;
    // From here on it is logged and recorded.
    const visit = redactVisit(decided, store.optedOut);
    const outcome = {
      host: hostOf(domain),
      failure: visit.verdict === 'unreachable' ? visit.reason : null,
      steps: visit.steps,
      startedAt,
      hasFailedBefore: lease.record.failures > 0,
    };
    if (!(await parts.mayBlame(outcome))) {
      stop('offline');
      return null;
    }
    if (giveUp.signal.aborted) return null;
    return { lease, visit, after: afterVisit(lease.record, visit, now(), random(), policy()) };
  }

  /** Null when the visit was not begun or given up, or broke on a bug of ours. What the store throws is for the pass to end by. */
  async function decide(lease: LeasedDomain, onAdmitted: () => void): Promise<Visit | null> {
    const { domain } = lease.record;
    try {
      const resolved = await identifier.resolve(domain);
      const visit = 'verdict' in resolved ? resolved : await visitResolved(lease, resolved, onAdmitted);
      if (visit === null) notBegun.push(lease);
      return visit;
    } catch (error) {
      if (error instanceof StoreError) throw error;
      onBug(domain, error);
      metBug.push(lease);
      return null;
    }
  }

  function visitResolved(lease: LeasedDomain, resolved: Resolved, onAdmitted: () => void): Promise<Visit | null> {
    return queue.run(
      claimsOf(resolved, limits),
      async () => {
        // It may have waited for long: a domain that was forgotten meanwhile is sent nothing any more.
        if (!(await retryWhileLocked(() => store.holds(lease), patience))) return null;
        onAdmitted();
        return identifier.identify(resolved);
      },
      (isWaiting) => {
        const change = isWaiting ? 1 : -1;
        count.waiting += change;
        count.active -= change;
        progress.resolve();
      },
    );
  }

  function start(lease: LeasedDomain): void {
    const visit = visitOne(lease)
      .catch((error) => stop('stopped', error))
      .finally(() => {
        underWay.delete(lease);
        progress.resolve();
      });
    underWay.set(lease, visit);
  }

  async function watch(arrivals: Arrivals): Promise<void> {
    while (await arrivals.next()) progress.resolve();
    mayCome = false;
    progress.resolve();
  }

  if (options.arrivals !== undefined) void watch(options.arrivals);
  const heartbeat = setInterval(() => {
    retryWhileLocked(() => store.renew(now()), { ...patience, onWait: undefined }).catch((error) =>
      stop('stopped', error),
    );
  }, renewEveryMs);
  try {
    // A pass before this one may have ended on a store that took nothing any more, its leases included.
    await retryWhileLocked(() => store.releaseAll(), patience);
    while (!giveUp.signal.aborted) {
      // What happens from here on, while the database is waited for too, has it look once more.
      progress = Promise.withResolvers();
      const room = count.waiting < MAX_WAITING && !isDraining ? window - count.active : 0;
      const at = now();
      const leased = room * 4 >= window ? await retryWhileLocked(() => store.lease(room, at, only), patience) : [];
      for (const lease of leased) start(lease);
      if (underWay.size > 0 || (mayCome && !isDraining)) await progress.promise;
      else if (isDraining || !(await waitForLostLeases(at))) break;
    }
  } catch (error) {
    stop('stopped', error);
  }
  try {
    return await finish();
  } finally {
    clearInterval(heartbeat);
    options.signal.removeEventListener('abort', onSignal);
    options.drain?.removeEventListener('abort', onDrain);
  }

  /** Whether to look again for due domains: true once the first of those held back by lost leases is due. */
  async function waitForLostLeases(at: number): Promise<boolean> {
    const dueAt = store.nextLostLease(at, only);
    if (dueAt === null || dueAt - now() > LOST_LEASE_PATIENCE_MS) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.max(10, dueAt - now()));
    const onEnd = () => resolve();
    giveUp.signal.addEventListener('abort', onEnd, { once: true });
    options.drain?.addEventListener('abort', onEnd, { once: true });
    await promise;
    clearTimeout(timer);
    options.drain?.removeEventListener('abort', onEnd);
    return true;
  }

  async function finish(): Promise<CrawlEnd> {
    const left = [...underWay.keys()];
    await Promise.all(underWay.values());
    left.push(...notBegun);
    try {
      if (left.length > 0) await retryWhileLocked(() => store.release(left), LAST_PATIENCE);
      if (metBug.length > 0) await retryWhileLocked(() => store.abandonLeases(metBug, now()), LAST_PATIENCE);
    } catch (error) {
      failure ??= error;
    }
    if (failure !== null) throw failure;
    return isDraining && end === 'done' ? 'stopped' : end;
  }
}
