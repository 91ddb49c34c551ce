import { type ScheduledTask, schedule } from 'node-cron';

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

export interface CronJobsOptions {
  jobs: readonly Job[];
  /** Called when a run fails. The job runs again at its next time. */
  onError: (job: string, error: unknown) => void;
  /** Called when the wall clock jumped by more than a minute, ahead (positive) or back. If it throws, `onError` is called with the job name `clock`. */
  onClockJump?: (byMs: number) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

export interface CronJobs {
  /** @throws {Error} for an invalid cron expression. */
  start(): void;
  /** Applies the current cron expressions; running and delayed jobs continue. */
  reschedule(): void;
  /** Runs a job now, unless it is running. */
  run(job: string): void;
  /** Aborts the running jobs and waits for them. No job starts afterwards, and no timer is left. */
  stop(): Promise<void>;
}

/** After a shorter jump, or a blocked event loop, node-cron catches up by itself: it runs the job once for the last time missed. */
const JUMP_MS = 60_000;
const WATCH_MS = 1_000;
/** The clock is checked this long before each full second, when node-cron's timers are due. */
const WATCH_AHEAD_MS = 10;
/** By default, node-cron writes to the console. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/**
 * Runs jobs with node-cron. Its timers do not survive a change of the wall clock: when it is set back by a day, no job runs for a day; when
 * it is set ahead, the timers step through every missed time, about 50 microseconds each, on the crawl's thread. Therefore the wall clock
 * is compared with the monotonic clock every second, and a jump recreates all tasks.
 */
export function createCronJobs({ jobs, onError, onClockJump, now, clock }: CronJobsOptions): CronJobs {
  const stopping = new AbortController();
  const running = new Map<Job, Promise<void>>();
  /** Jobs in their random delay. node-cron's own delay would be lost when its task is recreated. */
  const delayed = new Map<Job, NodeJS.Timeout>();
  let tasks: ScheduledTask[] = [];
  let watchdog: NodeJS.Timeout | undefined;
  /** Wall clock minus monotonic clock, at the last check. */
  let offset = 0;

  function begin(job: Job): Promise<void> | undefined {
    if (stopping.signal.aborted || running.has(job)) return undefined;
    const run = (async () => job.run(stopping.signal))()
      .catch((error: unknown) => onError(job.name, error))
      .finally(() => running.delete(job));
    running.set(job, run);
    return run;
  }

  function beginDelayed(job: Job): void {
    const maxDelayMs = job.maxDelayMs?.() ?? 0;
    if (maxDelayMs === 0) void begin(job);
    else if (!delayed.has(job)) {
      const onEnd = () => {
        delayed.delete(job);
        void begin(job);
      };
      delayed.set(job, setTimeout(onEnd, Math.random() * maxDelayMs));
    }
  }

  function createTasks(): void {
    destroyTasks();
    tasks = jobs.map((job) =>
      schedule(job.cron(), () => beginDelayed(job), {
        name: job.name,
        ...{ missedExecutionTolerance: JUMP_MS, suppressMissedWarning: true, logger: silent },
      }),
    );
  }

  function destroyTasks(): void {
    for (const task of tasks) void task.destroy();
    tasks = [];
  }

  function watch(): void {
    const jumpedBy = now() - clock() - offset;
    offset += jumpedBy;
    armWatchdog();
    if (Math.abs(jumpedBy) <= JUMP_MS) return;
    createTasks();
    try {
      onClockJump?.(Math.round(jumpedBy));
    } catch (error) {
      onError('clock', error);
    }
  }

  function armWatchdog(): void {
    watchdog = setTimeout(watch, WATCH_MS - ((now() + WATCH_AHEAD_MS) % WATCH_MS));
  }

  return {
    start() {
      if (watchdog !== undefined || stopping.signal.aborted) return;
      createTasks();
      offset = now() - clock();
      armWatchdog();
      for (const job of jobs) if (job.startsAtOnce === true) void begin(job);
    },
    reschedule() {
      if (tasks.length > 0) createTasks();
    },
    run(name) {
      for (const job of jobs) if (job.name === name) void begin(job);
    },
    async stop() {
      stopping.abort();
      clearTimeout(watchdog);
      destroyTasks();
      for (const timer of delayed.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
