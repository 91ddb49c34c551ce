import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressGuard } from '../../http/address-guard.ts';
import type { Connectivity } from '../../http/connectivity.ts';
import { hostOf } from '../../model/domain/domain.ts';
import type { CarryOut } from './carry-out.ts';
import { LEASE_SECONDS, messageOf, nameWorker, openEngine, TASKS } from './engine.ts';
import { decodeBytes, encodeBytes, type ResultMessage, type TaskMessage } from './engine-messages.ts';
import type { VisitResult, VisitTask } from './visit-task.ts';

export interface WorkOptions {
  /** The URL of the engine. */
  url: string;
  /** The name of the worker, which the crawling process shows. */
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
  onVisited: (task: VisitTask, result: VisitResult) => void;
  /** Monotonic, in milliseconds; the clock of `carryOut`. */
  clock: () => number;
  /** Lets running visits finish, and begins no other. */
  signal: AbortSignal;
}

/** The lease of a running visit, on the clock of the worker. */
interface Lease {
  startedAt: number;
  /** End of the lease; extended while the engine responds. */
  until: number;
  /** When the time budget of the visit ends. */
  deadline: number;
}

/** A worker and the crawling process differ in their version or in `network.allow`. */
export class WorkerMismatchError extends Error {
  override readonly name = 'WorkerMismatchError';
  readonly kind = 'setting';
}

/** A task that waited longer in the engine may be out of date: its host may have opted out since. */
const MAX_QUEUED_MS = 60_000;
/** Interval at which the leases of running visits are renewed; much shorter than a lease. */
const RENEW_MS = 4_000;
/** For the worker, a lease ends this much earlier than for the engine. */
const MARGIN_MS = 1_000;
const LEASE_MS = LEASE_SECONDS * 1_000 - MARGIN_MS;
const IDLE_MS = 100;
const RETRY_MS = 1_000;
const OFFLINE_CHECK_MS = 5_000;

/**
 * Runs visits for crawling processes on other machines until the signal aborts.
 *
 * @throws {EngineError} when the engine cannot be used at the start.
 * @throws {WorkerMismatchError}
 */
export async function work(options: WorkOptions): Promise<void> {
  const { url, name, version, concurrency, guard, carryOut, clock, signal, onTrouble } = options;
  const { boss, send, deleteTask, close } = await openEngine(url, onTrouble, nameWorker({ name, version }));
  const running = new Set<Promise<void>>();
  /** By the id of the task. */
  const leases = new Map<string, Lease>();
  let mismatch: WorkerMismatchError | null = null;
  let isOffline = false;
  let isAnswering = true;

  async function perform({ version: crawlVersion, task }: TaskMessage, lease: Lease): Promise<VisitResult> {
    if (crawlVersion !== version) {
      mismatch = new WorkerMismatchError(
        `this worker has version ${version}, the crawling process has version ${crawlVersion}: install the same version on both`,
      );
      return { kind: 'unvisited', why: mismatch.message };
    }
    const forbidden = task.hosts
      .flatMap(([, grant]) => (grant.kind === 'allowed' ? grant.addresses : []))
      .find(({ address }) => guard(address) !== null);
    if (forbidden !== undefined) {
      mismatch = new WorkerMismatchError(
        `this worker must not connect to ${forbidden.address}, which the crawling process allows: set the same network.allow for both`,
      );
      return { kind: 'unvisited', why: mismatch.message };
    }
    const result = await carryOut(task, () => clock() < lease.until && clock() < lease.deadline);
    if (result.kind !== 'visited') return result;
    const { verdict, reason, steps } = result.visit;
    const failure = verdict === 'unreachable' ? reason : null;
    const { startedAt } = lease;
    const outcome = { host: hostOf(task.domain), failure, steps, startedAt, hasFailedBefore: false };
    if (await options.isHostAtFault(outcome)) return result;
    isOffline = true;
    return { kind: 'unvisited', why: 'this machine is offline' };
  }

  /** Runs the visit of a task, and sends the result. */
  async function processTask(id: string, message: TaskMessage, queuedMs: number, startedAt: number): Promise<void> {
    const { task, resultsTo, budgetMs } = message;
    const lease = { startedAt, until: startedAt + LEASE_MS, deadline: startedAt + budgetMs };
    leases.set(id, lease);
    const result: VisitResult =
      queuedMs > MAX_QUEUED_MS
        ? { kind: 'unvisited', why: 'the task waited too long for a worker' }
        : await perform(message, lease);
    options.onVisited(task, result);
    const sent: ResultMessage = { job: id, worker: { name, version }, result };
    const data = encodeBytes(sent) as object;
    // The crawling process waits for the result as long as the lease is held.
    while (clock() < lease.until && clock() < lease.deadline) {
      try {
        await send(resultsTo, { id: randomUUID(), data });
        await deleteTask(id);
        return;
      } catch (error) {
        // The crawling process has ended, and its queue with it.
        if ((await boss.getQueue(resultsTo).catch(() => undefined)) === null) break;
        if (isAnswering) onTrouble(`a result cannot be sent: ${messageOf(error)}`);
        await delay(RETRY_MS);
      }
    }
    await deleteTask(id).catch(() => undefined);
  }

  async function renew(): Promise<void> {
    const at = clock();
    const heldLeases = [...leases].filter(([, { until }]) => until > at);
    if (heldLeases.length === 0) return;
    const ids = heldLeases.map(([id]) => id);
    try {
      await boss.touch(TASKS, ids);
    } catch {
      return;
    }
    // A lease that ran out during the renewal is not extended: the engine may have given its task to another worker.
    const renewedAt = clock();
    for (const [, lease] of heldLeases) if (lease.until > renewedAt) lease.until = at + LEASE_MS;
  }

  async function fetchTasks(limit: number) {
    try {
      const jobs = await boss.fetch<object>(TASKS, { batchSize: limit, includeMetadata: true });
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
    // Taken before tasks are fetched, so that the deadline of a visit is never later than the expiry of its task.
    const startedAt = clock();
    const free = concurrency - running.size;
    const jobs = free === 0 ? [] : await fetchTasks(free);
    for (const { id, data, startedOn, createdOn } of jobs) {
      const message = decodeBytes(data) as TaskMessage;
      const visit: Promise<void> = processTask(id, message, startedOn.getTime() - createdOn.getTime(), startedAt)
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
