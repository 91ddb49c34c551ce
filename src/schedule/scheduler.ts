import { createTask, type ScheduledTask, validate } from 'node-cron';

/** Something done again and again. It never runs twice at a time: a run that would begin during another is left out. */
export interface Job {
  name: string;
  /** Seconds from run to run, at least 1, of which a clock that is set knows nothing; or a cron expression of five or six fields, in local time. */
  every: number | string;
  /** Runs for the first time when the scheduler starts, not an interval later. */
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
  start(): void;
  /** Aborts the running jobs and waits for them; nothing begins any more and no timer is left. */
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
/** Moments that a busy event loop slept through are made up for; those that a clock set ahead left out are not. */
const JUMP_MS = 60_000;

interface Entry {
  job: Job;
  /** For a cron expression. */
  task: ScheduledTask | null;
  /** For an interval, on `clock`. */
  dueAt: number;
  running: Promise<void> | null;
}

/**
 * Runs jobs by one timer that ticks once a second. Node-cron reads the expressions and says which seconds they mean. Its own timers are not
 * used: after a clock set back by a day they are silent for that day, and after one set ahead they count every moment left out, some
 * 50 microseconds each, on the thread of the crawl.
 *
 * @throws Error for an interval or expression that cannot be
 */
export function createScheduler({ jobs, onError, onClockJump, now, clock }: SchedulerOptions): Scheduler {
  for (const job of jobs) requirePossible(job);
  const stopping = new AbortController();
  const entries: Entry[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** The last second whose jobs were begun, of the wall clock. */
  let second = 0;
  /** Wall clock less monotonic clock: it changes when the wall clock is set. */
  let offset = 0;

  function tick(): void {
    const wall = now();
    const monotonic = clock();
    const jumpedBy = wall - monotonic - offset;
    offset = wall - monotonic;
    const current = Math.floor(wall / TICK_MS);
    const hasJumped = Math.abs(jumpedBy) > JUMP_MS;
    // After a small step back the seconds that come again are not run again.
    const isFar = hasJumped || Math.abs(current - second) * TICK_MS > JUMP_MS;
    const from = isFar ? current : second + 1;
    for (const entry of entries) if (isDue(entry, from, current, monotonic)) begin(entry);
    second = isFar ? current : Math.max(second, current);
    arm(wall);
    if (hasJumped) tellJump(Math.round(jumpedBy));
  }

  function tellJump(byMs: number): void {
    try {
      onClockJump?.(byMs);
    } catch (error) {
      onError('clock', error);
    }
  }

  function arm(wall: number): void {
    if (!stopping.signal.aborted) timer = setTimeout(tick, TICK_MS - (wall % TICK_MS));
  }

  function begin(entry: Entry): void {
    if (entry.running !== null) return;
    const { name, run } = entry.job;
    entry.running = (async () => run(stopping.signal))()
      .catch((error: unknown) => onError(name, error))
      .finally(() => {
        entry.running = null;
      });
  }

  return {
    start() {
      if (timer !== undefined || stopping.signal.aborted) return;
      const wall = now();
      const monotonic = clock();
      offset = wall - monotonic;
      second = Math.floor(wall / TICK_MS);
      for (const job of jobs) entries.push(toEntry(job, monotonic));
      arm(wall);
      for (const entry of entries) if (entry.job.startsAtOnce === true) begin(entry);
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await Promise.all(entries.map(({ running }) => running));
      for (const { task } of entries) await task?.destroy();
    },
  };
}

function toEntry(job: Job, monotonic: number): Entry {
  const { every } = job;
  if (typeof every === 'number') return { job, task: null, dueAt: monotonic + every * 1_000, running: null };
  return { job, task: createTask(every, () => undefined), dueAt: 0, running: null };
}

/** Whether a run begins in the seconds from `from` to `to`; of an interval, whether it is over, and then the next begins. */
function isDue(entry: Entry, from: number, to: number, monotonic: number): boolean {
  const { task, job } = entry;
  if (task !== null) {
    for (let second = from; second <= to; second += 1) if (task.match(new Date(second * TICK_MS))) return true;
    return false;
  }
  // Ticks come a little early or late; half of one decides.
  if (monotonic + TICK_MS / 2 < entry.dueAt) return false;
  const everyMs = Number(job.every) * 1_000;
  const passed = Math.floor((monotonic + TICK_MS / 2 - entry.dueAt) / everyMs);
  entry.dueAt += (passed + 1) * everyMs;
  return true;
}

function requirePossible({ name, every }: Job): void {
  const isPossible = typeof every === 'number' ? Number.isFinite(every) && every >= 1 : validate(every);
  if (isPossible) return;
  const cure = 'give seconds, at least 1, or a cron expression such as "17 3 * * *"';
  throw new Error(`The job ${name} cannot be run every ${JSON.stringify(every)}; ${cure}.`);
}
