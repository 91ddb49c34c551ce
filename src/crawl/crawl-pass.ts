import PQueue from 'p-queue';
import type { Connectivity, HostContact } from '../http/connectivity.ts';
import { AliasFollower } from '../identify/aliases.ts';
import type { Identifier, Resolved } from '../identify/identifier.ts';
import type { VisitContext } from '../identify/visit-context.ts';
import type { Cadence } from '../model/cadence.ts';
import { type Domain, hostOf } from '../model/domain/domain.ts';
import { siteOf } from '../model/domain/registrable-domain.ts';
import { isLiveInstance } from '../model/instance-record.ts';
import { withoutOptedOut } from '../model/opt-outs/opted-out-references.ts';
import { PRIORITY } from '../model/priority.ts';
import { type Clock, type EpochMs, HOUR_MS, MINUTE_MS } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import type { PickedDomain } from '../store/domains/pick-domains.ts';
import { StoreError } from '../store/sqlite/store-error.ts';
import type { Store } from '../store/store.ts';
import type { RecordedVisit } from '../store/visits/visits.ts';
import { HostLimits, type Slot, type SlotLimits, slotsFor } from './host-limits.ts';
import type { HourlyLimit } from './hourly-limit.ts';
import { afterVisit } from './schedule/after-visit.ts';
import type { ThirdPartyLimits } from './third-party-limits.ts';
import { VisitError } from './workers/visit-error.ts';

/** `done`: every due domain was visited; `stopped`: by a signal or an error; `offline`: this machine is offline. */
export type CrawlEnd = 'done' | 'stopped' | 'offline';

export interface CrawlParts {
  store: Store;
  identifier: Identifier;
  connectivity: Connectivity;
  /** The part of the context that all visits have in common. */
  rules: Pick<VisitContext, 'softwareId' | 'robots' | 'allowSuffixes' | 'optOuts'>;
  cadence: Cadence;
  /** Limits of the visits at a time, and per second; 0: no limit. */
  limits: SlotLimits & { concurrency: number; visitsPerSecond: number };
  thirdPartyLimits: ThirdPartyLimits;
  /** Counts the first visits of each site. */
  firstVisits: HourlyLimit;
  /** Called after each visit is committed. */
  onCompleted: (visit: Visit) => void;
  logger: { error(fields: object, message: string): void };
  now: () => EpochMs;
  clock: Clock;
  random: () => number;
}

export interface PassOptions {
  /** Restricts the pass to these domains. */
  only?: readonly Domain[] | undefined;
  /** The pass does not end before this promise settles, because domains may be entered until then. */
  until?: Promise<unknown> | undefined;
  /** Graceful stop: running visits finish and are recorded; no other visit starts. */
  drain?: AbortSignal | undefined;
  /** Immediate stop: running visits are abandoned and stay due. */
  signal: AbortSignal;
}

/** The least number of domains that are being resolved or visited, or wait for the global limits. */
const MIN_PLACES = 64;
/** While this many domains wait for a busy host or address, no more are picked. */
const MAX_WAITING = 10_000;
/** The share of the waiting domains that may wait for one address or registrable domain. */
const MAX_WAITING_PER_SLOT = MAX_WAITING / 4;
/** The waits of domains that are not visited now. The pass lasts until those with `isAwaited` are due again. */
const DEFERRALS = {
  crowded: {
    waitMs: 5 * MINUTE_MS,
    isAwaited: true,
    why: 'waits because many other domains wait for its address or domain',
  },
  bug: { waitMs: HOUR_MS, isAwaited: false, why: 'its visit failed because of a bug in Loopscout' },
  notVisited: { waitMs: MINUTE_MS, isAwaited: true, why: 'waits because its worker could not visit it' },
  /** Names of one site have their first visits an hour apart, so that nobody can send many visits to a host by inventing names of it. */
  firstVisit: {
    waitMs: HOUR_MS,
    isAwaited: false,
    why: 'waits for another name of the same host; their first visits are at least an hour apart',
  },
};
/** At most this many domains that go before all others are picked per wake-up when no place is free. */
const FIRST_PER_WAKE = 16;
/** Instances that are visited early to find out whether our own network works. */
const MAX_WITNESSES = 3;
/** So many failed visits in a row make an instance down when nothing shows whether our own network works. */
const FAILURES_WITHOUT_EVIDENCE = 3;
/** A few large commits cost less than many small ones. A crash loses the visits of at most one batch, which are repeated. */
const BATCH = { size: 256, waitMs: 250 };
/** Interval between checks for domains that other processes entered. */
const POLL_MS = 1_000;
/** p-queue spreads the starts over the second, so that they do not form one burst each second. */
const SLICES_PER_SECOND = 10;

/** One pass: due domains -> limits -> visit -> record, until nothing is due. */
export class CrawlPass {
  readonly #parts: CrawlParts;
  readonly #options: PassOptions;
  readonly #places: number;
  readonly #queue: PQueue;
  readonly #hostLimits = new HostLimits();
  readonly #aliases: AliasFollower;
  /** Picked domains that have no result yet. */
  readonly #running = new Map<PickedDomain, Promise<void>>();
  /** The visits that look for evidence that our network works, and their number. */
  #witnesses: Promise<number> | null = null;
  /** Drops each visit that waits in `#queue`. */
  readonly #queued = new Set<() => void>();
  /** The counted first visits whose results are not recorded. */
  readonly #countedVisits = new Map<PickedDomain, Slot>();
  /** Results to be recorded together. */
  #results: RecordedVisit[] = [];
  #flushTimer: NodeJS.Timeout | undefined;
  #deferredTimer: NodeJS.Timeout | undefined;
  #event = Promise.withResolvers<void>();
  #isFirstWaiting = false;
  /** When the last of the domains that the pass waits for is due again; null when there is none. */
  #deferredUntil: number | null = null;
  #mayArrive: boolean;
  #isDraining = false;
  #isAbandoned = false;
  #end: CrawlEnd = 'done';
  #failure: unknown = null;

  constructor(parts: CrawlParts, options: PassOptions) {
    const { concurrency, visitsPerSecond } = parts.limits;
    this.#parts = parts;
    this.#options = options;
    this.#places = Math.max(concurrency * 2, MIN_PLACES);
    this.#queue = new PQueue({ concurrency, ...rateOptions(visitsPerSecond) });
    this.#aliases = new AliasFollower(parts.store.domains, parts.now);
    this.#mayArrive = options.until !== undefined;
  }

  /** @throws errors of the store, after every running visit was abandoned. */
  async run(): Promise<CrawlEnd> {
    const stopListening = this.#listen();
    try {
      this.#parts.store.due.releaseAll();
      for (;;) {
        // Replaced before domains are picked, so that no event is missed.
        this.#event = Promise.withResolvers();
        this.#fill();
        if (this.#running.size === 0 && !this.#mayArrive && !this.#waitForDeferred()) break;
        await this.#event.promise;
      }
    } catch (error) {
      this.#stop('stopped', error);
    }
    try {
      return await this.#finish();
    } finally {
      stopListening();
    }
  }

  /** Picks domains for the free places, and begins their visits. */
  #fill(): void {
    if (this.#isDraining || this.#isAbandoned) return;
    const { store, now } = this.#parts;
    const { waiting } = this.#hostLimits;
    const free = waiting < MAX_WAITING ? this.#places + waiting - this.#running.size : 0;
    let picked: PickedDomain[] = [];
    // In batches: only when a quarter of the places is free.
    if (free * 4 >= this.#places) picked = store.due.pick(free, now(), this.#options.only);
    else if (this.#isFirstWaiting && this.#options.only === undefined)
      picked = store.due.pickFirst(FIRST_PER_WAKE, now());
    this.#isFirstWaiting = false;
    for (const domain of picked) this.#begin(domain);
  }

  #begin(picked: PickedDomain, isWitness = false): Promise<void> {
    const visit = this.#visit(picked, isWitness)
      .catch((error) => this.#stop('stopped', error))
      .finally(() => {
        this.#running.delete(picked);
        this.#event.resolve();
      });
    this.#running.set(picked, visit);
    return visit;
  }

  /** Whether deferred domains are still to come due; the pass then looks again after a second. */
  #waitForDeferred(): boolean {
    if (this.#deferredUntil === null || this.#isDraining || this.#isAbandoned) return false;
    if (this.#parts.now() > this.#deferredUntil) return false;
    clearTimeout(this.#deferredTimer);
    this.#deferredTimer = setTimeout(() => this.#event.resolve(), POLL_MS);
    return true;
  }

  /** Visits a domain, and adds the result to those to be recorded. @throws {StoreError} */
  async #visit(picked: PickedDomain, isWitness = false): Promise<void> {
    const result = await this.#resultOf(picked, isWitness);
    this.#running.delete(picked);
    if (result !== null) this.#results.push(result);
    // While no other result is coming, waiting for a full batch would only delay the end.
    if (this.#running.size === 0 || this.#results.length >= BATCH.size) this.#record();
    else this.#flushTimer ??= setTimeout(() => this.#recordOrStop(), BATCH.waitMs);
  }

  /** The result to record; null when there is none. */
  async #resultOf(picked: PickedDomain, isWitness: boolean): Promise<RecordedVisit | null> {
    const { store, cadence, clock, now, random, connectivity } = this.#parts;
    const { record } = picked;
    const timing = { startedAt: clock() };
    const visited = await this.#visitWithinLimits(picked, timing);
    if (visited === null || this.#isAbandoned) return null;
    const visit = withoutOptedOut(visited, store.optOuts);
    const failure = visit.verdict === 'unreachable' ? visit.reason : null;
    const { steps } = visit;
    const contact = { host: hostOf(record.domain), failure, steps, ...timing, hasFailedBefore: record.failures > 0 };
    if (!(await connectivity.isHostAtFault(contact))) this.#stop('offline');
    if (this.#isAbandoned) return null;
    const at = now();
    const draw = random();
    const after = afterVisit(record, visit, at, draw, cadence);
    if (isWitness && after.failures > record.failures) {
      // It may be our network that failed, and the domain was not due.
      store.due.release([picked]);
      return null;
    }
    if (record.state !== 'active' || after.state !== 'failing' || !isLiveInstance(record))
      return { picked, visit, after };
    // The instance would become down.
    const evidence = await this.#evidenceOfNetwork(contact);
    if (evidence === 'offline') this.#stop('offline');
    if (evidence === 'offline' || this.#isAbandoned) return null;
    if (evidence === 'answered') return { picked, visit, after };
    return { picked, visit, after: afterVisit(record, visit, at, draw, cadence, FAILURES_WITHOUT_EVIDENCE) };
  }

  /**
   * Whether another host has answered since a failed visit began. If none has, some instances that are up are visited early. `none`: there is
   * no such instance.
   */
  async #evidenceOfNetwork({ host, startedAt }: HostContact): Promise<'answered' | 'offline' | 'none'> {
    const { connectivity } = this.#parts;
    for (;;) {
      if (connectivity.hasOtherAnswered(host, startedAt)) return 'answered';
      // Those that another visit looked for may have answered before this one began.
      const areShared = this.#witnesses !== null;
      this.#witnesses ??= this.#visitWitnesses().finally(() => {
        this.#witnesses = null;
      });
      const count = await this.#witnesses;
      if (connectivity.hasOtherAnswered(host, startedAt)) return 'answered';
      if (count === 0 || this.#isDraining) return 'none';
      if (!areShared || this.#isAbandoned) return 'offline';
    }
  }

  /** Visits up to {@link MAX_WITNESSES} instances that are up, and returns their number. */
  async #visitWitnesses(): Promise<number> {
    const { store } = this.#parts;
    if (this.#options.only !== undefined || this.#isDraining || this.#isAbandoned) return 0;
    const picked = store.due.pickWitnesses(MAX_WITNESSES);
    await Promise.all(picked.map((one) => this.#begin(one, true)));
    return picked.length;
  }

  /** Null when the visit was deferred, lost or not begun, or failed because of a bug. @throws {StoreError} */
  async #visitWithinLimits(picked: PickedDomain, timing: { startedAt: number }): Promise<Visit | null> {
    const { identifier, limits, firstVisits, logger, store, now } = this.#parts;
    const { domain } = picked.record;
    try {
      const resolved = await identifier.resolve(domain);
      if ('verdict' in resolved) return resolved;
      const slots = slotsFor(domain, resolved.addresses, limits);
      const isCrowded = this.#hostLimits.isFull(slots) && this.#hostLimits.mostWaiting(slots) >= MAX_WAITING_PER_SLOT;
      if (isCrowded && !isUrgent(picked)) return this.#defer(picked, 'crowded');
      const granted = this.#hostLimits.acquire(slots, isUrgent(picked));
      // A domain that waits for its slots leaves its place to another.
      this.#event.resolve();
      if (!(await granted)) return null;
      try {
        if (!this.#mayBeVisitedFirst(picked)) return this.#defer(picked, 'firstVisit');
        const visit = await this.#visitInTurn(picked, resolved, timing);
        const firstVisit = firstVisitSlot(picked);
        // Counted before the slot of the host is released.
        if (visit !== null && firstVisit !== null && firstVisits.count([firstVisit]))
          this.#countedVisits.set(picked, firstVisit);
        return visit;
      } finally {
        this.#hostLimits.release(slots);
      }
    } catch (error) {
      if (error instanceof StoreError || (error instanceof VisitError && error.code === 'no-workers')) throw error;
      if (!(error instanceof VisitError)) {
        logger.error({ domain, err: error }, 'a visit failed because of a bug; it is repeated in an hour');
        return this.#defer(picked, 'bug');
      }
      if (this.#isAbandoned || (this.#isDraining && error.code !== 'lost')) return null;
      if (error.code !== 'lost') return this.#defer(picked, 'notVisited');
      store.due.countCrash(picked, now());
      return null;
    }
  }

  /** Visits a domain that holds its slots, once the global limits allow it; null when it may not be visited any more. */
  #visitInTurn(picked: PickedDomain, resolved: Resolved, timing: { startedAt: number }): Promise<Visit | null> {
    if (this.#isDraining || this.#isAbandoned) return Promise.resolve(null);
    const { promise, resolve, reject } = Promise.withResolvers<Visit | null>();
    const drop = () => resolve(null);
    this.#queued.add(drop);
    const visit = async () => {
      this.#queued.delete(drop);
      // The host may have opted out while the visit waited; then it must not be contacted.
      if (this.#isDraining || this.#isAbandoned || this.#parts.store.optOuts.has(picked.record.domain)) return null;
      timing.startedAt = this.#parts.clock();
      return this.#parts.identifier.identify(resolved, this.#contextOf(picked));
    };
    this.#queue.add(visit, { priority: -picked.priority }).then(resolve, reject);
    return promise;
  }

  #contextOf({ id, record: { lastVisit, host }, requestedBy }: PickedDomain): VisitContext {
    const { store, rules, thirdPartyLimits: thirdParties, now } = this.#parts;
    // A user who requests a visit may have just changed the robots.txt.
    const cachedRobots = lastVisit === null || requestedBy !== null ? null : store.visits.cachedRobots(id);
    return {
      ...rules,
      now,
      cachedRobots,
      knownAddress: host.address,
      thirdParties,
      isSubmission: requestedBy === 'submission',
      aliases: store.domains,
    };
  }

  /** Records the results and enters the targets of redirects, in one transaction. @throws {StoreError} */
  #record(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    const { store, onCompleted } = this.#parts;
    const results = this.#results;
    if (results.length === 0) return;
    const visits = store.inOneTransaction(() => {
      const unrecorded = new Set(store.visits.record(results));
      const recorded = results.filter((result) => !unrecorded.has(result)).map(({ visit }) => visit);
      this.#aliases.follow(recorded);
      return recorded;
    });
    this.#results = [];
    for (const { picked } of results) this.#countedVisits.delete(picked);
    for (const visit of visits) onCompleted(visit);
    // Domains whose next visit was requested during this one can be picked now.
    this.#isFirstWaiting = true;
  }

  #recordOrStop(): void {
    try {
      this.#record();
    } catch (error) {
      this.#stop('stopped', error);
    }
  }

  async #finish(): Promise<CrawlEnd> {
    const { store, firstVisits } = this.#parts;
    await Promise.all(this.#running.values());
    clearTimeout(this.#flushTimer);
    try {
      if (this.#failure === null) this.#record();
      // Also the domains whose visits were abandoned or not begun.
      store.due.releaseAll();
    } catch (error) {
      this.#failure ??= error;
    }
    // Visits that were not recorded are repeated.
    firstVisits.revoke([...this.#countedVisits.values()]);
    if (this.#failure !== null) throw this.#failure;
    return this.#isDraining && this.#end === 'done' ? 'stopped' : this.#end;
  }

  /** Listens for signals, and for what other processes write; returns the function that ends that. */
  #listen(): () => void {
    const { only, until, drain, signal } = this.#options;
    const { store } = this.#parts;
    const onAbort = () => this.#stop('stopped');
    const onDrain = () => this.#drain();
    signal.addEventListener('abort', onAbort, { once: true });
    drain?.addEventListener('abort', onDrain, { once: true });
    if (drain?.aborted) onDrain();
    if (signal.aborted) onAbort();
    const onLast = () => {
      this.#mayArrive = false;
      this.#event.resolve();
    };
    until?.then(onLast, onLast);
    let version = store.dataVersion();
    const poll = setInterval(() => {
      try {
        const latest = store.dataVersion();
        if (latest === version) return;
        version = latest;
        this.wake();
      } catch (error) {
        this.#stop('stopped', error);
      }
    }, POLL_MS);
    if (only !== undefined) clearInterval(poll);
    return () => {
      clearInterval(poll);
      clearTimeout(this.#deferredTimer);
      signal.removeEventListener('abort', onAbort);
      drain?.removeEventListener('abort', onDrain);
    };
  }

  /** Picks domains that were just entered; those that go before all others even if no place is free. */
  wake(): void {
    this.#isFirstWaiting = true;
    this.#event.resolve();
  }

  #drain(): void {
    this.#isDraining = true;
    this.#mayArrive = false;
    this.#dropWaiting();
    this.#parts.identifier.cancelWaiting?.();
  }

  #stop(end: CrawlEnd, error: unknown = null): void {
    if (this.#isAbandoned) return;
    this.#isAbandoned = true;
    this.#mayArrive = false;
    this.#end = end;
    this.#failure = error;
    this.#dropWaiting();
    this.#parts.identifier.cancelAll();
  }

  #dropWaiting(): void {
    this.#queue.clear();
    this.#hostLimits.cancelAll();
    for (const drop of this.#queued) drop();
    this.#queued.clear();
    this.#event.resolve();
  }

  /** Whether the site had no other first visit within the hour. A domain that a user requested, or that its own site leads to, needs no turn. */
  #mayBeVisitedFirst(picked: PickedDomain): boolean {
    const { firstVisits, store } = this.#parts;
    const { domain } = picked.record;
    const slot = firstVisitSlot(picked);
    if (slot === null || picked.requestedBy !== null || firstVisits.waitMs([slot]) === 0) return true;
    return store.due.domainsThatName(domain).some((other) => siteOf(other) === siteOf(domain));
  }

  #defer(picked: PickedDomain, name: keyof typeof DEFERRALS): null {
    const { waitMs, isAwaited, why } = DEFERRALS[name];
    const until = Math.round(this.#parts.now() + waitMs);
    this.#parts.store.due.defer(picked, { until, why });
    if (isAwaited) this.#deferredUntil = Math.max(until, this.#deferredUntil ?? until);
    return null;
  }
}

/** Whether a visit goes before the others that wait for its address. */
function isUrgent({ priority }: PickedDomain): boolean {
  return priority <= PRIORITY.reported;
}

/** The slot of a first visit; null when the domain was visited before. */
function firstVisitSlot({ record }: PickedDomain): Slot | null {
  if (record.lastVisit !== null) return null;
  return { key: `first visit ${siteOf(record.domain)}`, limit: 1 };
}

function rateOptions(perSecond: number): { interval: number; intervalCap: number } | Record<string, never> {
  if (perSecond === 0) return {};
  // At a low rate, an interval is longer than a slice, because it has at least one start.
  const intervalCap = Math.max(1, Math.round(perSecond / SLICES_PER_SECOND));
  return { intervalCap, interval: (1_000 * intervalCap) / perSecond };
}
