import { type ScheduledTask, schedule } from 'node-cron';

/** Work that is done again and again. It never overlaps itself: a run that would begin during another is left out. */
export interface Job {
  name: string;
  /** A cron expression of five or six fields, in local time; asked for whenever the jobs are scheduled. */
  cron: () => string;
  /** A run begins up to so much later than its moment, at random. In milliseconds, 0 unless given. */
  maxDelayMs?: () => number;
  /** Runs for the first time when the scheduler starts, without a delay. */
  startsAtOnce?: boolean;
  /** @param signal aborted when the scheduler is to stop, which waits for the run to end. */
  run: (signal: AbortSignal) => Promise<void>;
}

export interface SchedulerOptions {
  jobs: readonly Job[];
  /** A run that failed; the job is run again at its next time. */
  onError: (job: string, error: unknown) => void;
  /** The wall clock was set by more than a minute, ahead (positive) or back; what it throws goes to `onError`, as of `clock`. */
  onClockJump?: (byMs: number) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

export interface Scheduler {
  /** @throws Error for a cron expression that node-cron refuses. */
  start(): void;
  /** Asks each job for its cron expression again; runs under way go on. */
  reschedule(): void;
  /** Runs a job now, unless it is running. */
  run(job: string): void;
  /** Aborts the running jobs and waits for them; no other begins and no timer is left. */
  stop(): Promise<void>;
}

/** Up to so much, node-cron makes up for moments missed by a busy event loop or a clock that was set: the last of them is run. */
const JUMP_MS = 60_000;
const WATCH_MS = 1_000;
/** The clock is watched so long before each full second, when node-cron's timers are due. */
const WATCH_AHEAD_MS = 10;
/** Node-cron would write to the console. */
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/**
 * Runs jobs by node-cron. Its timers do not survive a wall clock that is set: set back by a day they are silent for that day, and set ahead
 * they count every moment left out, some 50 microseconds each, on the thread of the crawl. So the wall clock is compared with the monotonic
 * one each second, and all tasks are created again when it has jumped.
 */
export function createScheduler({ jobs, onError, onClockJump, now, clock }: SchedulerOptions): Scheduler {
  const stopping = new AbortController();
  const running = new Map<Job, Promise<void>>();
  let tasks: ScheduledTask[] = [];
  let watchdog: NodeJS.Timeout | undefined;
  /** Wall clock less monotonic clock, when last looked at. */
  let offset = 0;

  function begin(job: Job): Promise<void> | undefined {
    if (stopping.signal.aborted || running.has(job)) return undefined;
    const run = (async () => job.run(stopping.signal))()
      .catch((error: unknown) => onError(job.name, error))
      .finally(() => running.delete(job));
    running.set(job, run);
    return run;
  }

  function createTasks(): void {
    destroyTasks();
    tasks = jobs.map((job) =>
      schedule(job.cron(), () => begin(job), {
        ...{ name: job.name, noOverlap: true, maxRandomDelay: job.maxDelayMs?.() ?? 0 },
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
      await Promise.all(running.values());
    },
  };
}
