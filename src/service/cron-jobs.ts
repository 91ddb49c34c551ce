import { type ScheduledTask, schedule } from 'node-cron';
import { MINUTE_MS } from '../model/time.ts';

/** Recurring work. It never overlaps itself: while a run lasts, further runs are skipped. */
export interface Job {
  name: string;
  /** A cron expression of five or six fields, in local time; read whenever the jobs are scheduled. */
  cron: () => string;
  /** Maximum random delay between the scheduled time and the run, in milliseconds. Default: 0. */
  maxDelayMs?: () => number;
  /** Also runs when the jobs are started, without a random delay. */
  startsAtOnce?: boolean;
  /** @param signal aborts when the jobs are stopped; `stop` waits for the run to end. */
  run: (signal: AbortSignal) => Promise<void>;
}

/** A run that is late by less than this, as after a blocked event loop, is made up for; an earlier one is skipped. */
const LATE_MS = MINUTE_MS;
/** By default, node-cron writes to the console. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };

export class CronJobs {
  readonly #jobs: readonly Job[];
  readonly #onError: (job: string, error: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Job, Promise<void>>();
  #tasks: ScheduledTask[] = [];

  /** @param onError called when a run fails. The job runs again at its next time. */
  constructor(jobs: readonly Job[], onError: (job: string, error: unknown) => void) {
    this.#jobs = jobs;
    this.#onError = onError;
  }

  /** @throws {Error} for an invalid cron expression. */
  start(): void {
    if (this.#tasks.length > 0 || this.#stopping.signal.aborted) return;
    this.#schedule();
    for (const job of this.#jobs) if (job.startsAtOnce === true) this.#begin(job);
  }

  /** Applies the present cron expressions, and the present time after the clock was set; running jobs continue. */
  reschedule(): void {
    if (this.#tasks.length > 0) this.#schedule();
  }

  /** Runs a job now, unless it is running. */
  run(name: string): void {
    for (const job of this.#jobs) if (job.name === name) this.#begin(job);
  }

  /** Aborts the running jobs and waits for them. No job starts afterwards, and no timer is left. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#destroyTasks();
    await Promise.all(this.#running.values());
  }

  #schedule(): void {
    this.#destroyTasks();
    this.#tasks = this.#jobs.map((job) =>
      schedule(job.cron(), () => this.#begin(job), {
        ...{ name: job.name, maxRandomDelay: job.maxDelayMs?.() ?? 0, missedExecutionTolerance: LATE_MS },
        ...{ suppressMissedWarning: true, logger: silent },
      }),
    );
  }

  #destroyTasks(): void {
    for (const task of this.#tasks) void task.destroy();
    this.#tasks = [];
  }

  #begin(job: Job): void {
    if (this.#stopping.signal.aborted || this.#running.has(job)) return;
    const run = (async () => job.run(this.#stopping.signal))()
      .catch((error: unknown) => this.#onError(job.name, error))
      .finally(() => this.#running.delete(job));
    this.#running.set(job, run);
  }
}
