import { setTimeout as delay } from 'node:timers/promises';
import { getTasks } from 'node-cron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createScheduler, type Job, type Scheduler, type SchedulerOptions } from '../../src/schedule/scheduler.ts';
import { DAY_MS, HOUR_MS } from './standard-policy.ts';

const noon = new Date(2026, 7, 1, 12, 0, 0).getTime();

/** A wall clock that can be set, over the monotonic one of the fake timers. */
let setBy: number;
let monotonic: () => number;
const wall = () => noon + monotonic() + setBy;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  setBy = 0;
  const started = performance.now();
  monotonic = () => performance.now() - started;
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  expect(getTasks().size).toBe(0);
  vi.useRealTimers();
});

/** Runs a scheduler for as long as `during` takes. */
async function scheduled(
  jobs: readonly Job[],
  during: (scheduler: Scheduler) => Promise<void>,
  options: Partial<SchedulerOptions> = {},
): Promise<void> {
  const onError = (job: string, error: unknown) => expect.unreachable(`${job} failed: ${String(error)}`);
  const scheduler = createScheduler({ jobs, onError, now: wall, clock: monotonic, ...options });
  scheduler.start();
  try {
    await during(scheduler);
  } finally {
    await scheduler.stop();
  }
}

/** A job that notes when it ran, in seconds since the start. */
function noting(every: number | string, more: Partial<Job> = {}): Job & { times: number[] } {
  const times: number[] = [];
  const run = async () => {
    times.push(Math.round(monotonic() / 1_000));
  };
  return { name: String(every), every, run, times, ...more };
}

describe('a job', () => {
  it('runs at each interval, the first time after one', async () => {
    const job = noting(7);
    await scheduled([job], async () => {
      await vi.advanceTimersByTimeAsync(30_000);
    });
    expect(job.times).toEqual([7, 14, 21, 28]);
  });

  it('runs at once when it is to', async () => {
    const job = noting(7, { startsAtOnce: true });
    await scheduled([job], async () => {
      await vi.advanceTimersByTimeAsync(8_000);
    });
    expect(job.times).toEqual([0, 7]);
  });

  it('keeps its interval over a day without drifting', async () => {
    const job = noting(5);
    await scheduled([job], async () => {
      await vi.advanceTimersByTimeAsync(DAY_MS);
    });
    expect(job.times).toHaveLength(DAY_MS / 5_000);
  });

  it.each([
    ['*/20 * * * * *', [20, 40, 60, 80]],
    ['5 1 12 * * *', [65]],
    ['1 12 * * *', [60]],
  ])('runs at the moments of %s', async (every, times) => {
    const job = noting(every);
    await scheduled([job], async () => {
      await vi.advanceTimersByTimeAsync(90_000);
    });
    expect(job.times).toEqual(times);
  });

  it('goes on when what it tells of a jump throws, and says so', async () => {
    const job = noting(60);
    const errors: string[] = [];
    await scheduled(
      [job],
      async () => {
        await vi.advanceTimersByTimeAsync(30_000);
        setBy = -DAY_MS;
        await vi.advanceTimersByTimeAsync(100_000);
      },
      {
        onClockJump: () => {
          throw new Error('the database is locked');
        },
        onError: (name, error) => errors.push(`${name}: ${(error as Error).message}`),
      },
    );
    expect(errors).toEqual(['clock: the database is locked']);
    expect(job.times).toEqual([60, 120]);
  });

  it('never overlaps itself, and keeps no other job from running', async () => {
    let running = 0;
    let most = 0;
    const slow: Job = {
      name: 'slow',
      every: 2,
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        running -= 1;
      },
    };
    const other = noting(1);
    await scheduled([slow, other], async () => {
      await vi.advanceTimersByTimeAsync(19_500);
    });
    expect(most).toBe(1);
    expect(other.times).toHaveLength(19);
  }, 3_000);

  it.each<[string, () => Promise<void>]>([
    ['rejects', async () => Promise.reject(new Error('rejected'))],
    [
      'throws',
      () => {
        throw new Error('thrown');
      },
    ],
  ])('that %s stops neither itself nor another', async (_how, run) => {
    const errors: string[] = [];
    const other = noting(1);
    await scheduled(
      [{ name: 'broken', every: 1, run }, other],
      async () => {
        await vi.advanceTimersByTimeAsync(3_000);
      },
      { onError: (job, error) => errors.push(`${job}: ${error instanceof Error ? error.message : ''}`) },
    );
    expect(errors).toHaveLength(3);
    expect(errors[0]).toMatch(/^broken: (rejected|thrown)$/);
    expect(other.times).toEqual([1, 2, 3]);
  });

  it.each([0, 0.5, -1, Number.NaN, 'often', '99 * * * *'])('cannot be run every %j', (every) => {
    const jobs = [noting(every, { name: 'odd' })];
    const create = () => createScheduler({ jobs, onError: () => undefined, now: wall, clock: monotonic });
    expect(create).toThrow(/^The job odd cannot be run every .*; give seconds, at least 1, or a cron expression/);
  });
});

describe('a clock that is set', () => {
  it.each([DAY_MS, -DAY_MS, 61_000, -61_000])('by %i ms is reported once, within a second', async (byMs) => {
    const jumps: number[] = [];
    await scheduled(
      [noting(1)],
      async () => {
        await vi.advanceTimersByTimeAsync(10_300);
        setBy = byMs;
        await vi.advanceTimersByTimeAsync(1_000);
        expect(jumps).toEqual([byMs]);
        await vi.advanceTimersByTimeAsync(60_000);
      },
      { onClockJump: (jumpedBy) => jumps.push(jumpedBy) },
    );
    expect(jumps).toEqual([byMs]);
  });

  it('by less than a minute, or bit by bit, is no matter', async () => {
    const jumps: number[] = [];
    const job = noting(5);
    await scheduled(
      [job],
      async () => {
        for (let step = 0; step < 100; step += 1) {
          setBy += step % 2 === 0 ? 30_000 : -3_000;
          await vi.advanceTimersByTimeAsync(5_000);
        }
      },
      { onClockJump: (jumpedBy) => jumps.push(jumpedBy) },
    );
    expect(jumps).toEqual([]);
    expect(job.times.length).toBeGreaterThanOrEqual(99);
  });

  it.each([DAY_MS, -DAY_MS, 30_000, -30_000])('by %i ms changes no interval', async (byMs) => {
    const job = noting(5);
    await scheduled([job], async () => {
      await vi.advanceTimersByTimeAsync(12_000);
      setBy = byMs;
      await vi.advanceTimersByTimeAsync(20_000);
    });
    expect(job.times).toEqual([5, 10, 15, 20, 25, 30]);
  });

  it.each([DAY_MS, -DAY_MS])('by %i ms leaves cron expressions to their moments of the new time', async (byMs) => {
    const job = noting('*/10 * * * * *');
    await scheduled([job], async () => {
      await vi.advanceTimersByTimeAsync(12_000);
      setBy = byMs;
      await vi.advanceTimersByTimeAsync(20_000);
    });
    expect(job.times).toEqual([10, 20, 30]);
  });

  it('back by some seconds does not bring a moment again', async () => {
    const job = noting('30 0 12 * * *');
    await scheduled([job], async () => {
      await vi.advanceTimersByTimeAsync(31_000);
      setBy = -20_000;
      await vi.advanceTimersByTimeAsync(40_000);
    });
    expect(job.times).toEqual([30]);
  });

  it('ahead past a moment leaves it out, and takes no time over it', async () => {
    const job = noting('*/5 * * * * *');
    await scheduled([job], async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      setBy = 365 * DAY_MS;
      const before = process.hrtime.bigint();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(100);
    });
    expect(job.times).toEqual([]);
  });
});

it('makes up for a moment that a blocked event loop slept through, once', async () => {
  const cron = noting('10 0 12 * * *');
  const interval = noting(2);
  await scheduled([cron, interval], async () => {
    await vi.advanceTimersByTimeAsync(5_000);
    // Both clocks go on, no timer fires.
    const before = monotonic;
    monotonic = () => before() + 20_000;
    await vi.advanceTimersByTimeAsync(4_000);
  });
  expect(cron.times).toHaveLength(1);
  expect(interval.times).toHaveLength(2 + 2);
});

describe('stopping', () => {
  it('aborts running jobs, waits for them and begins nothing more', async () => {
    const events: string[] = [];
    const job: Job = {
      name: 'long',
      every: 1,
      run: async (signal) => {
        events.push('begun');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        events.push('aborted');
        await new Promise((resolve) => setTimeout(resolve, HOUR_MS));
        events.push('ended');
      },
    };
    await scheduled([job], async (scheduler) => {
      await vi.advanceTimersByTimeAsync(2_500);
      const stopped = scheduler.stop().then(() => events.push('stopped'));
      await vi.advanceTimersByTimeAsync(HOUR_MS);
      await stopped;
      scheduler.start();
      await vi.advanceTimersByTimeAsync(HOUR_MS);
    });
    expect(events).toEqual(['begun', 'aborted', 'ended', 'stopped']);
  });

  it('can be done twice, and before the start', async () => {
    await scheduled([noting(1)], async (scheduler) => {
      await scheduler.stop();
    });
    await createScheduler({ jobs: [], onError: () => undefined, now: wall, clock: monotonic }).stop();
  });
});

it('ticks by real timers', async () => {
  vi.useRealTimers();
  const { promise, resolve } = Promise.withResolvers<void>();
  const scheduler = createScheduler({
    jobs: [{ name: 'real', every: 1, run: async () => resolve() }],
    onError: () => undefined,
    now: Date.now,
    clock: () => performance.now(),
  });
  scheduler.start();
  await Promise.race([promise, delay(5_000, undefined, { ref: false }).then(() => expect.unreachable('no tick'))]);
  await scheduler.stop();
  vi.useFakeTimers();
});
