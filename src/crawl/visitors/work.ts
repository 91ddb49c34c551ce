import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressGuard } from '../../http/address-guard.ts';
import type { Connectivity } from '../../http/connectivity.ts';
import { hostOf } from '../../model/domain/domain.ts';
import type { CarryOut } from './carry-out.ts';
import { LEASE_SECONDS, messageOf, nameWorker, ORDERS, openEngine } from './engine.ts';
import { decodeBytes, encodeBytes, type OrderMessage, type ResultMessage } from './engine-messages.ts';
import type { VisitOrder, VisitResult } from './visit-order.ts';

export interface WorkOptions {
  /** The URL of the engine. */
  url: string;
  /** Shown by the scheduler, the process that queues the visits. */
  name: string;
  version: string;
  /** Maximum concurrent visits. */
  concurrency: number;
  carryOut: CarryOut;
  guard: AddressGuard;
  isHostAtFault: Connectivity['isHostAtFault'];
  /** Whether this machine is online. */
  isOnline: () => Promise<boolean>;
  onTrouble: (message: string) => void;
  onVisited: (order: VisitOrder, result: VisitResult) => void;
  /** Monotonic, in milliseconds; the clock of `carryOut`. */
  clock: () => number;
  /** Lets running visits finish, and begins no other. */
  signal: AbortSignal;
}

/** The lease of a running visit, on the clock of the worker. */
interface Lease {
  startedAt: number;
  /** Extended while the engine responds. */
  until: number;
  /** When the time budget of the visit ends. */
  deadline: number;
}

/** A worker and its scheduler differ in their version or in `network.allow`. */
export class WorkerMismatchError extends Error {
  override readonly name = 'WorkerMismatchError';
  readonly kind = 'setting';
}

/** An order that waited longer in the engine may be out of date: its host may have opted out since. */
const MAX_QUEUED_MS = 60_000;
/** Interval at which the leases of running visits are renewed; much shorter than a lease. */
const RENEW_MS = 4_000;
/** A lease ends here this much earlier than in the engine. */
const MARGIN_MS = 1_000;
const LEASE_MS = LEASE_SECONDS * 1_000 - MARGIN_MS;
const IDLE_MS = 100;
const RETRY_MS = 1_000;
const OFFLINE_CHECK_MS = 5_000;

/**
 * Runs visits for schedulers on other machines until the signal aborts.
 *
 * @throws {EngineError} when the engine cannot be used at the start.
 * @throws {WorkerMismatchError}
 */
export async function work(options: WorkOptions): Promise<void> {
  const { url, name, version, concurrency, guard, carryOut, clock, signal, onTrouble } = options;
  const { boss, send, deleteOrder, close } = await openEngine(url, onTrouble, nameWorker({ name, version }));
  const running = new Set<Promise<void>>();
  /** By the id of the order. */
  const leases = new Map<string, Lease>();
  let mismatch: WorkerMismatchError | null = null;
  let isOffline = false;
  let isAnswering = true;

  async function perform({ version: schedulerVersion, order }: OrderMessage, lease: Lease): Promise<VisitResult> {
    if (schedulerVersion !== version) {
      mismatch = new WorkerMismatchError(
        `this worker has version ${version}, the scheduler has version ${schedulerVersion}: install the same version on both`,
      );
      return { kind: 'unvisited', why: mismatch.message };
    }
    const forbidden = order.hosts
      .flatMap(([, grant]) => (grant.kind === 'allowed' ? grant.addresses : []))
      .find(({ address }) => guard(address) !== null);
    if (forbidden !== undefined) {
      mismatch = new WorkerMismatchError(
        `this worker must not connect to ${forbidden.address}, which the scheduler allows: set the same network.allow for both`,
      );
      return { kind: 'unvisited', why: mismatch.message };
    }
    const result = await carryOut(order, () => clock() < lease.until && clock() < lease.deadline);
    if (result.kind !== 'visited') return result;
    const { verdict, reason, steps } = result.visit;
    const failure = verdict === 'unreachable' ? reason : null;
    const { startedAt } = lease;
    const outcome = { host: hostOf(order.domain), failure, steps, startedAt, hasFailedBefore: false };
    if (await options.isHostAtFault(outcome)) return result;
    isOffline = true;
    return { kind: 'unvisited', why: 'this machine is offline' };
  }

  /** Runs the visit of an order, and sends the result. */
  async function processOrder(id: string, message: OrderMessage, queuedMs: number, startedAt: number): Promise<void> {
    const { order, resultsTo, budgetMs } = message;
    const lease = { startedAt, until: startedAt + LEASE_MS, deadline: startedAt + budgetMs };
    leases.set(id, lease);
    const result: VisitResult =
      queuedMs > MAX_QUEUED_MS
        ? { kind: 'unvisited', why: 'the order waited too long for a worker' }
        : await perform(message, lease);
    options.onVisited(order, result);
    const sent: ResultMessage = { job: id, worker: { name, version }, result };
    const data = encodeBytes(sent) as object;
    // The scheduler waits for the result as long as the lease is held.
    while (clock() < lease.until && clock() < lease.deadline) {
      try {
        await send(resultsTo, { id: randomUUID(), data });
        await deleteOrder(id);
        return;
      } catch (error) {
        // The scheduler has ended, and its queue with it.
        if ((await boss.getQueue(resultsTo).catch(() => undefined)) === null) break;
        if (isAnswering) onTrouble(`a result cannot be sent: ${messageOf(error)}`);
        await delay(RETRY_MS);
      }
    }
    await deleteOrder(id).catch(() => undefined);
  }

  async function renew(): Promise<void> {
    const at = clock();
    const heldLeases = [...leases].filter(([, { until }]) => until > at);
    if (heldLeases.length === 0) return;
    const ids = heldLeases.map(([id]) => id);
    try {
      await boss.touch(ORDERS, ids);
    } catch {
      return;
    }
    // Extends only a lease that the engine cannot have ended before the renewal.
    const renewedAt = clock();
    for (const [, lease] of heldLeases) if (lease.until > renewedAt) lease.until = at + LEASE_MS;
  }

  async function fetchOrders(limit: number) {
    try {
      const fetching = { batchSize: limit, ignoreGroups: [name], includeMetadata: true as const };
      const jobs = await boss.fetch<object>(ORDERS, fetching);
      isAnswering = true;
      return jobs;
    } catch (error) {
      if (isAnswering) onTrouble(`the job engine does not answer: ${messageOf(error)}`);
      isAnswering = false;
      await delay(RETRY_MS);
      return [];
    }
  }

  const renewTimer = setInterval(() => void renew(), RENEW_MS);
  while (!signal.aborted && mismatch === null) {
    if (isOffline) {
      onTrouble('this machine is offline; no visit begins');
      while (!signal.aborted && !(await options.isOnline()))
        await delay(OFFLINE_CHECK_MS, undefined, { signal }).catch(() => undefined);
      isOffline = false;
    }
    // Taken before orders are fetched, so that the deadline of a visit is never later than the expiry of its order.
    const startedAt = clock();
    const free = concurrency - running.size;
    const jobs = free === 0 ? [] : await fetchOrders(free);
    for (const { id, data, startedOn, createdOn } of jobs) {
      const message = decodeBytes(data) as OrderMessage;
      const visit: Promise<void> = processOrder(id, message, startedOn.getTime() - createdOn.getTime(), startedAt)
        .catch((error) => onTrouble(String(error)))
        .finally(() => {
          leases.delete(id);
          running.delete(visit);
        });
      running.add(visit);
    }
    if (jobs.length === 0) await Promise.race([delay(IDLE_MS), ...(free === 0 ? running : [])]);
  }
  await Promise.all(running);
  clearInterval(renewTimer);
  await close();
  if (mismatch !== null) throw mismatch;
}
