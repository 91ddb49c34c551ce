import { setTimeout as delay } from 'node:timers/promises';
import type { JobWithMetadata } from 'pg-boss';
import type { AddressGuard } from '../../http/address-guard.ts';
import type { Connectivity } from '../../http/connectivity.ts';
import { hostOf } from '../../model/domain/domain.ts';
import { type Clock, MINUTE_MS } from '../../model/time.ts';
import type { Visit } from '../../model/visit.ts';
import { LEASE_SECONDS, messageOf, nameWorker, openEngine, TASKS, type WarningLog } from './engine.ts';
import type { TaskVisit, VisitByTask } from './visit-by-task.ts';
import type { VisitTask } from './visit-task.ts';

export interface WorkOptions {
  /** The URL of the engine. */
  url: string;
  /** The name of the worker, which the crawling process shows. */
  name: string;
  version: string;
  /** Maximum concurrent visits. */
  concurrency: number;
  visit: VisitByTask;
  guard: AddressGuard;
  isHostAtFault: Connectivity['isHostAtFault'];
  /** Whether this machine is online. */
  isOnline: () => Promise<boolean>;
  log: WarningLog;
  /** @param visit null when the visit leads to another host, so that the crawling process ends it. */
  onVisited: (task: VisitTask, visit: Visit | null) => void;
  clock: Clock;
  /** Lets running visits finish, and begins no other. */
  signal: AbortSignal;
}

/** A worker and the crawling process differ in their version or in `network.allow`. */
export class WorkerMismatchError extends Error {
  override readonly name = 'WorkerMismatchError';
  readonly kind = 'setting';
}

type Job = JobWithMetadata<VisitTask>;
type TaskResult = Omit<TaskVisit, 'visit'> | { notVisited: string };

/** A task that waited longer in the engine may be out of date: its host may have opted out since. */
const MAX_QUEUED_MS = MINUTE_MS;
/** Interval at which the leases of running visits are renewed; much shorter than a lease. */
const RENEW_MS = 4_000;
/** For the worker, a lease ends a second earlier than for the engine. */
const LEASE_MS = (LEASE_SECONDS - 1) * 1_000;
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
  const worker = { name: options.name, version: options.version };
  const boss = await openEngine(options.url, options.log, nameWorker(worker));
  const { signal, clock, log, concurrency } = options;
  const running = new Set<Promise<void>>();
  /** The ends of the leases of running visits, by the id of the task. */
  const leases = new Map<string, number>();
  let mismatch: WorkerMismatchError | null = null;
  let isOffline = false;
  let isAnswering = true;

  /** Ends the worker: the difference concerns every task. */
  function refuse(message: string): { notVisited: string } {
    mismatch = new WorkerMismatchError(message);
    return { notVisited: message };
  }

  /** @throws {DeadlineError} */
  async function visit(job: Job, startedAt: number): Promise<TaskResult> {
    const { id, data: task, startedOn, createdOn } = job;
    const { version, addresses, budgetMs } = task;
    if (startedOn.getTime() - createdOn.getTime() > MAX_QUEUED_MS)
      return { notVisited: 'the task waited too long for a worker' };
    if (version !== worker.version)
      return refuse(
        `this worker has version ${worker.version}, the crawling process has version ${version}: install the same version on both`,
      );
    const forbidden = addresses.find(({ address }) => options.guard(address) !== null);
    if (forbidden !== undefined)
      return refuse(
        `this worker must not connect to ${forbidden.address}, which the crawling process allows: set the same network.allow for both`,
      );
    const isInTime = () => clock() < Math.min(leases.get(id) ?? 0, startedAt + budgetMs);
    const { visit, ...sent } = await options.visit(task, isInTime);
    if (visit?.verdict === 'unreachable') {
      const { reason: failure, steps } = visit;
      const contact = { host: hostOf(task.domain), failure, steps, startedAt, hasFailedBefore: false };
      isOffline ||= !(await options.isHostAtFault(contact));
      if (isOffline) return { notVisited: 'this machine is offline' };
    }
    options.onVisited(task, visit);
    return sent;
  }

  /** Carries out a task, and ends it. The engine ignores a result whose lease has expired. */
  async function process(job: Job, startedAt: number): Promise<void> {
    leases.set(job.id, startedAt + LEASE_MS);
    const result = await visit(job, startedAt).catch((error: unknown) => {
      log.warn(`the visit of ${job.data.domain} failed: ${messageOf(error)}`);
      return null;
    });
    while (clock() < startedAt + job.data.budgetMs) {
      try {
        await (result === null ? boss.fail(TASKS, job.id) : boss.complete(TASKS, job.id, { worker, ...result }));
        break;
      } catch (error) {
        if (isAnswering) log.warn(`a result cannot be sent: ${messageOf(error)}`);
        await delay(RETRY_MS);
      }
    }
    leases.delete(job.id);
  }

  async function renew(): Promise<void> {
    const at = clock();
    const held = [...leases].filter(([, until]) => until > at).map(([id]) => id);
    if (held.length === 0) return;
    try {
      await boss.touch(TASKS, held);
    } catch {
      return;
    }
    // A lease that ran out during the renewal is not extended: the engine may have given its host to another worker.
    const renewedAt = clock();
    for (const id of held) if ((leases.get(id) ?? 0) > renewedAt) leases.set(id, at + LEASE_MS);
  }

  async function fetchTasks(batchSize: number): Promise<Job[]> {
    try {
      const jobs = await boss.fetch<VisitTask>(TASKS, { batchSize, includeMetadata: true });
      isAnswering = true;
      return jobs;
    } catch (error) {
      if (isAnswering) log.warn(`the job engine does not answer: ${messageOf(error)}`);
      isAnswering = false;
      await delay(RETRY_MS);
      return [];
    }
  }

  const renewTimer = setInterval(() => void renew(), RENEW_MS);
  while (!signal.aborted && mismatch === null) {
    if (isOffline) {
      log.warn('this machine is offline; no visit begins');
      while (!signal.aborted && !(await options.isOnline()))
        await delay(OFFLINE_CHECK_MS, undefined, { signal }).catch(() => undefined);
      isOffline = false;
    }
    // Taken before tasks are fetched, so that a lease is never longer than the one of the engine.
    const startedAt = clock();
    const free = concurrency - running.size;
    const jobs = free === 0 ? [] : await fetchTasks(free);
    for (const job of jobs) {
      const processed: Promise<void> = process(job, startedAt)
        .catch((error) => log.warn(String(error)))
        .finally(() => running.delete(processed));
      running.add(processed);
    }
    if (jobs.length === 0) await Promise.race([delay(IDLE_MS), ...(free === 0 ? running : [])]);
  }
  await Promise.all(running);
  clearInterval(renewTimer);
  await boss.stop({ graceful: false });
  if (mismatch !== null) throw mismatch;
}
