import { type Domain, hostOf } from './domain/domain.ts';
import { registrableDomainOf } from './domain/registrable-domain-of.ts';
import { createAliasFollower } from './identify/follow-aliases.ts';
import type { Identifier, Resolved } from './identify/identifier.ts';
import { addressKey } from './queue/address-key.ts';
import type { Claim } from './queue/admission.ts';
import { createBatch } from './queue/batch.ts';
import type { VisitQueue } from './queue/visit-queue.ts';
import type { Reason } from './record/reason.ts';
import type { Step } from './record/step.ts';
import type { Visit } from './record/visit.ts';
import { afterVisit, type SchedulePolicy } from './schedule/after-visit.ts';
import type { LeasedDomain, RecordedVisit, Store } from './store/store.ts';

export interface CrawlParts {
  store: Store;
  queue: VisitQueue;
  identifier: Identifier;
  policy: SchedulePolicy;
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
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  random: () => number;
}

interface Outcome {
  host: string;
  /** Null unless the verdict is `unreachable`. */
  failure: Reason | null;
  steps: readonly Step[];
  /** On `clock`; the wait for a busy address is over by then. */
  startedAt: number;
  hasFailedBefore: boolean;
}

/** How a pass ended: every due domain visited, stopped from outside, or found that nothing answers at all. */
export type CrawlEnd = 'done' | 'stopped' | 'offline';

/** Of the domains that wait for a busy address, so many may hold a lease besides the window; a few kilobytes each. */
const MOST_WAITING = 10_000;
/** A pass waits so long for domains that are held back because their leases were lost. */
const LOST_LEASE_PATIENCE_MS = 60_000;
/** Each commit writes the pages it touches anew, so few large ones cost less; a crash repeats the visits of one. */
const BATCH = { size: 256, waitMs: 250 };

/**
 * One pass: due domains -> queue -> identify -> record -> store, until nothing is due.
 *
 * @param only visits just these, due or not; they must be due in the store.
 * @param signal stops the pass; visits under way are given up and stay due.
 * @throws what the store throws, once every visit under way has been given up.
 */
export async function crawl(
  parts: CrawlParts,
  options: { only?: readonly Domain[] | undefined; signal: AbortSignal },
): Promise<CrawlEnd> {
  const { store, queue, identifier, policy, limits, window, renewEveryMs, onCompleted, onBug, now, clock, random } =
    parts;
  const only = { only: options.only };
  const underWay = new Map<LeasedDomain, Promise<void>>();
  const giveUp = new AbortController();
  /** Of those under way: worked on, and waiting for a busy address. The rest wait to be committed. */
  const count = { active: 0, waiting: 0 };
  let end: CrawlEnd = 'done';
  let failure: unknown = null;
  let progress = Promise.withResolvers<void>();

  const stop = (why: CrawlEnd, error: unknown = null) => {
    if (giveUp.signal.aborted) return;
    end = why;
    failure = error;
    giveUp.abort();
    queue.abandon();
    identifier.abandon();
    progress.resolve();
  };
  const onSignal = () => stop('stopped');
  options.signal.addEventListener('abort', onSignal, { once: true });
  if (options.signal.aborted) onSignal();

  const followAliases = createAliasFollower(store, now);
  const batch = createBatch<RecordedVisit>(BATCH, (results) => {
    store.record(results);
    followAliases(results.map(({ visit }) => visit));
    for (const { visit } of results) onCompleted(visit);
  });

  async function visitOne(lease: LeasedDomain): Promise<void> {
    const { domain } = lease.record;
    let startedAt = clock();
    count.active++;
    const visit = await decide(domain, () => {
      startedAt = clock();
    });
    count.active--;
    progress.resolve();
    if (visit === null || giveUp.signal.aborted) return;
    const failure = visit.verdict === 'unreachable' ? visit.reason : null;
    const hasFailedBefore = lease.record.failures > 0;
    const outcome = { host: hostOf(domain), failure, steps: visit.steps, startedAt, hasFailedBefore };
    if (!(await parts.mayBlame(outcome))) return stop('offline');
    if (giveUp.signal.aborted) return;
    await batch.add({ lease, visit, after: afterVisit(lease.record, visit, now(), random(), policy) });
  }

  /** Null when the visit was given up, or broke on a bug of ours: then its lease stays, so that this pass does not try again. */
  async function decide(domain: Domain, onAdmitted: () => void): Promise<Visit | null> {
    try {
      const resolved = await identifier.resolve(domain);
      return 'verdict' in resolved ? resolved : await visitResolved(resolved, onAdmitted);
    } catch (error) {
      onBug(domain, error);
      return null;
    }
  }

  function visitResolved(resolved: Resolved, onAdmitted: () => void): Promise<Visit | null> {
    return queue.run(
      claimsOf(resolved, limits),
      () => {
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

  const heartbeat = setInterval(() => {
    try {
      store.renew(now());
    } catch (error) {
      stop('stopped', error);
    }
  }, renewEveryMs);
  try {
    while (!giveUp.signal.aborted) {
      const room = count.waiting < MOST_WAITING ? window - count.active : 0;
      const at = now();
      const leased = room * 4 >= window ? store.lease(room, at, only) : [];
      for (const lease of leased) start(lease);
      if (underWay.size === 0 && !(await waitForLostLeases(at))) break;
      progress = Promise.withResolvers();
      if (underWay.size > 0) await progress.promise;
    }
  } catch (error) {
    stop('stopped', error);
  } finally {
    clearInterval(heartbeat);
    options.signal.removeEventListener('abort', onSignal);
  }
  return finish();

  /** Whether to look again for due domains: true once the first of those held back by lost leases is due. */
  async function waitForLostLeases(at: number): Promise<boolean> {
    const dueAt = store.nextLostLease(at, only);
    if (dueAt === null || dueAt - now() > LOST_LEASE_PATIENCE_MS) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.max(10, dueAt - now()));
    giveUp.signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    return true;
  }

  async function finish(): Promise<CrawlEnd> {
    const left = [...underWay.keys()];
    await Promise.all(underWay.values());
    try {
      batch.flush();
      if (left.length > 0) store.release(left);
    } catch (error) {
      failure ??= error;
    }
    if (failure !== null) throw failure;
    return end;
  }
}

/** One visit a host at a time, and so many for each of its addresses and for its registrable domain. */
function claimsOf({ visitation, addresses }: Resolved, limits: CrawlParts['limits']): Claim[] {
  const { domain } = visitation;
  return [
    { key: `host ${hostOf(domain)}`, limit: 1 },
    { key: `domain ${registrableDomainOf(domain)}`, limit: limits.perRegistrableDomain },
    ...addresses.map(({ address }) => ({ key: `address ${addressKey(address)}`, limit: limits.perAddress })),
  ];
}
