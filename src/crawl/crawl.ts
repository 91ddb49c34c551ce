import { createAliasFollower } from '../identify/aliases.ts';
import type { Resolved } from '../identify/identifier.ts';
import { PostponedVisit } from '../identify/identify.ts';
import { hostOf } from '../model/domain/domain.ts';
import { withoutOptedOut } from '../model/opt-outs/opted-out-references.ts';
import type { Visit } from '../model/visit.ts';
import { createBatch } from '../queue/batch.ts';
import { afterVisit } from '../schedule/after-visit.ts';
import { retryWhileLocked } from '../store/sqlite/retry-while-locked.ts';
import { StoreError } from '../store/sqlite/store-error.ts';
import type { LeasedDomain, RecordedVisit } from '../store/store.ts';
import { claimsOf } from './claims.ts';
import type { Arrivals, CrawlParts, PassOptions } from './crawl-options.ts';
import { NotVisitedError, NoVisitorError, VisitorLostError } from './visitors/visit-task.ts';

/** `done`: every due domain was visited; `stopped`: by a signal or an error; `offline`: this machine is offline. */
export type CrawlEnd = 'done' | 'stopped' | 'offline';

/** While this many leased domains wait for a busy host or address, no more are leased. Each takes a few kilobytes. */
const MAX_WAITING = 10_000;
/** After a longer wait, a visit starts only if its lease is still held: the lease may have expired. */
const LONG_WAIT_MS = 1_000;
/** A pass waits for a domain that is deferred because of lost leases only if it is due within this time. */
const MAX_LOST_LEASE_WAIT_MS = 60_000;
/** A visit that needs a third-party host at its hourly limit is postponed for at least this time: then all contacts counted now are over an hour old. */
const POSTPONED_MS = 3_600_000;
/** After a day of postponements, the visit skips the third-party host, so that every listing is updated. */
const MAX_POSTPONEMENTS = 24;
const POSTPONED_WHY = 'waits because it needs a third-party host whose hourly limit of contacts is reached';
/** The final writes of a pass wait this long for a locked database. */
const FINAL_RETRY = { forMs: 2_000 };
/** A few large commits cost less than many small ones. A crash loses the visits of at most one batch, which are repeated. */
const BATCH = { size: 256, waitMs: 250 };

/**
 * One pass: due domains -> queue -> identify -> record -> store, until nothing is due.
 *
 * @throws errors of the store, and NoVisitorError, after every running visit was abandoned.
 */
export async function crawl(parts: CrawlParts, options: PassOptions): Promise<CrawlEnd> {
  const { store, queue, identifier, cadence, limits, maxInProgress, renewEveryMs, now, clock, random } = parts;
  const { onCompleted, onPostponed, onBug, onLocked } = parts;
  const restriction = { only: options.only };
  const running = new Map<LeasedDomain, Promise<void>>();
  const giveUp = new AbortController();
  /** Their visits did not start; their leases are released at the end of the pass. */
  const notStarted: LeasedDomain[] = [];
  /** Failed because of a bug. They keep their leases to the end of the pass, so that it does not retry them. */
  const buggy: LeasedDomain[] = [];
  /** Numbers of visits: `active` are in progress, `waiting` wait for a busy host or address, `undecided` have no result yet. */
  const count = { active: 0, waiting: 0, undecided: 0 };
  let end: CrawlEnd = 'done';
  let failure: unknown = null;
  let progress = Promise.withResolvers<void>();
  let mayArrive = options.arrivals !== undefined;

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
    identifier.cancelWaiting?.();
    progress.resolve();
  };
  const onSignal = () => stop('stopped');
  options.signal.addEventListener('abort', onSignal, { once: true });
  options.drain?.addEventListener('abort', onDrain, { once: true });
  if (options.drain?.aborted) onDrain();
  if (options.signal.aborted) onSignal();

  const retry = { onWait: onLocked, signal: giveUp.signal };
  const followAliases = createAliasFollower(store, now);
  const batch = createBatch<RecordedVisit>(BATCH, async (results) => {
    const { lost } = await retryWhileLocked(() => store.record(results), retry);
    const visits = results.filter((result) => !lost.includes(result)).map(({ visit }) => visit);
    for (const visit of visits) onCompleted(visit);
    await retryWhileLocked(() => followAliases(visits), retry);
  });

  async function visitOne(lease: LeasedDomain): Promise<void> {
    count.undecided++;
    const result = await resultOf(lease).finally(() => {
      count.undecided--;
    });
    const recorded = result === null ? null : batch.add(result);
    // No other result is coming soon, so waiting for a full batch would only delay the end.
    if (count.undecided === 0) batch.flush();
    await recorded;
  }

  /** The result to record; null when there is none. */
  async function resultOf(lease: LeasedDomain): Promise<RecordedVisit | null> {
    const { domain } = lease.record;
    let startedAt = clock();
    count.active++;
    const performed = await performVisit(lease, () => {
      startedAt = clock();
    });
    count.active--;
    progress.resolve();
    if (performed === null || giveUp.signal.aborted) return null;
    const visit = withoutOptedOut(performed, store.optedOut);
    const outcome = {
      host: hostOf(domain),
      failure: visit.verdict === 'unreachable' ? visit.reason : null,
      steps: visit.steps,
      startedAt,
      hasFailedBefore: lease.record.failures > 0,
    };
    if (!(await parts.isHostAtFault(outcome))) {
      stop('offline');
      return null;
    }
    if (giveUp.signal.aborted) return null;
    return { lease, visit, after: afterVisit(lease.record, visit, now(), random(), cadence()) };
  }

  /** Null when the visit did not start, was lost or postponed, or failed because of a bug. @throws errors that end the pass. */
  async function performVisit(lease: LeasedDomain, onAdmitted: () => void): Promise<Visit | null> {
    const { domain } = lease.record;
    try {
      const resolved = await identifier.resolve(domain);
      const visit = 'verdict' in resolved ? resolved : await visitResolved(lease, resolved, onAdmitted);
      if (visit === null) notStarted.push(lease);
      return visit;
    } catch (error) {
      if (error instanceof StoreError || error instanceof NoVisitorError) throw error;
      if (error instanceof PostponedVisit) {
        await postpone(lease);
        return null;
      }
      if (error instanceof VisitorLostError || error instanceof NotVisitedError) {
        await repeatVisit(lease, error instanceof VisitorLostError);
        return null;
      }
      onBug(domain, error);
      buggy.push(lease);
      return null;
    }
  }

  /** Releases the lease, so that the visit is repeated. A lost worker counts against the domain, which is deferred after repeated losses. */
  async function repeatVisit(lease: LeasedDomain, wasVisitorLost: boolean): Promise<void> {
    if (giveUp.signal.aborted) notStarted.push(lease);
    else if (wasVisitorLost) await retryWhileLocked(() => store.abandonLeases([lease], now()), retry);
    else await retryWhileLocked(() => store.release([lease]), retry);
  }

  /** Reschedules the visit. The state and facts of the domain stay as they are. */
  async function postpone(lease: LeasedDomain): Promise<void> {
    const until = Math.round(now() + POSTPONED_MS * (1 + 0.1 * random()));
    await retryWhileLocked(() => store.postpone(lease, { at: now(), until, why: POSTPONED_WHY }), retry);
    onPostponed?.(lease.record.domain);
  }

  function visitResolved(lease: LeasedDomain, resolved: Resolved, onAdmitted: () => void): Promise<Visit | null> {
    const resolvedAt = clock();
    return queue.run(
      claimsOf(resolved, limits),
      async () => {
        // The domain may have opted out while the visit waited; then it must not be contacted.
        if (store.optedOut.has(lease.record.domain)) return null;
        const isLate = clock() - resolvedAt > LONG_WAIT_MS;
        if (isLate && !(await retryWhileLocked(() => store.holds(lease), retry))) return null;
        onAdmitted();
        return identifier.identify(resolved, {
          isFirst: lease.record.lastVisit === null,
          mayPostpone: lease.postponements < MAX_POSTPONEMENTS,
        });
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
        running.delete(lease);
        progress.resolve();
      });
    running.set(lease, visit);
  }

  async function watch(arrivals: Arrivals): Promise<void> {
    while (await arrivals.next()) progress.resolve();
    mayArrive = false;
    progress.resolve();
  }

  if (options.arrivals !== undefined) void watch(options.arrivals);
  const heartbeat = setInterval(() => {
    retryWhileLocked(() => store.renew(now()), { ...retry, onWait: undefined }).catch((error) =>
      stop('stopped', error),
    );
  }, renewEveryMs);
  try {
    // An earlier pass that ended with a store error may have left its leases.
    await retryWhileLocked(() => store.releaseAll(), retry);
    while (!giveUp.signal.aborted) {
      // `progress` is replaced before domains are leased, so that events during a wait for the database are not missed.
      progress = Promise.withResolvers();
      const room = count.waiting < MAX_WAITING && !isDraining ? maxInProgress - count.active : 0;
      const at = now();
      // Leases in batches: only when a quarter of the places are free.
      const leased =
        room * 4 >= maxInProgress ? await retryWhileLocked(() => store.lease(room, at, restriction), retry) : [];
      for (const lease of leased) start(lease);
      if (running.size > 0 || (mayArrive && !isDraining)) await progress.promise;
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

  /** Waits for the first domain that is deferred because of lost leases, or for a signal; returns false at once when none is due soon. */
  async function waitForLostLeases(at: number): Promise<boolean> {
    const dueAt = store.nextRetryAfterLostLease(at, restriction);
    if (dueAt === null || dueAt - now() > MAX_LOST_LEASE_WAIT_MS) return false;
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
    const toRelease = [...running.keys()];
    await Promise.all(running.values());
    toRelease.push(...notStarted);
    try {
      if (toRelease.length > 0) await retryWhileLocked(() => store.release(toRelease), FINAL_RETRY);
      if (buggy.length > 0) await retryWhileLocked(() => store.abandonLeases(buggy, now()), FINAL_RETRY);
    } catch (error) {
      failure ??= error;
    }
    if (failure !== null) throw failure;
    return isDraining && end === 'done' ? 'stopped' : end;
  }
}
