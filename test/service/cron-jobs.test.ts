import { getTasks } from 'node-cron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CronJobs, type Job } from '../../src/service/cron-jobs.ts';
import { DAY_MS, HOUR_MS } from '../crawl/schedule/standard-policy.ts';

/** On a Saturday, in local time. */
const noon = new Date(2026, 7, 1, 12, 0, 0).getTime();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: noon });
  startedAt = performance.now();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  expect(getTasks().size).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let startedAt = 0;
/** Milliseconds since the start of the test, independent of the wall clock. */
const monotonic = () => performance.now() - startedAt;
/** Sets the wall clock forward or back, without moving any timer. */
const shiftClock = (byMs: number) => vi.setSystemTime(Date.now() + byMs);

/** Runs jobs until `during` is done. */
async function runJobs(
  jobs: readonly Job[],
  during: (cronJobs: CronJobs) => Promise<void>,
  onError = (job: string, error: unknown): unknown => expect.unreachable(`${job} failed: ${String(error)}`),
): Promise<void> {
  const cronJobs = new CronJobs(jobs, onError);
  cronJobs.start();
  try {
    await during(cronJobs);
  } finally {
    await cronJobs.stop();
  }
}

/** A job that records the times of its runs, in seconds since the start. */
function recordingJob(cron: string, more: Partial<Job> = {}): Job & { times: number[] } {
  const times: number[] = [];
  const run = async () => {
    times.push(Math.round(monotonic() / 1_000));
  };
  return { name: cron, cron: () => cron, run, times, ...more };
}

describe('a job', () => {
  // The expression, and the seconds after noon at which it applies within 90 s.
  it.each([
    ['*/20 * * * * *', [20, 40, 60, 80]],
    ['5 1 12 * * *', [65]],
    ['1 12 * * *', [60]],
    ['2 12 * * sun', []],
  ])('runs at the times of the expression %s', async (cron, times) => {
    const job = recordingJob(cron);
    await runJobs([job], async () => {
      await vi.advanceTimersByTimeAsync(90_000);
    });
    expect(job.times).toEqual(times);
  });

  it('also runs at the start if startsAtOnce is set', async () => {
    const job = recordingJob('*/7 * * * * *', { startsAtOnce: true });
    await runJobs([job], async () => {
      await vi.advanceTimersByTimeAsync(8_000);
    });
    expect(job.times).toEqual([0, 7]);
  });

  it('misses no run in a day', async () => {
    const job = recordingJob('*/5 * * * *');
    await runJobs([job], async () => {
      await vi.advanceTimersByTimeAsync(DAY_MS);
    });
    expect(job.times).toHaveLength(DAY_MS / 300_000);
  });

  it('starts after a random part of its maximum delay, but immediately when the jobs are started', async () => {
    const random = vi.spyOn(Math, 'random');
    const job = recordingJob('* * * * *', { maxDelayMs: () => 20_000, startsAtOnce: true });
    await runJobs([job], async () => {
      for (const value of [0.5, 0.999, 0]) {
        random.mockReturnValue(value);
        await vi.advanceTimersByTimeAsync(65_000);
      }
    });
    expect(job.times).toEqual([0, 70, 140, 180]);
  });

  it('does not run if the jobs are stopped during its delay', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const job = recordingJob('* * * * *', { maxDelayMs: () => 40_000 });
    await runJobs([job], async () => {
      await vi.advanceTimersByTimeAsync(70_000);
    });
    await vi.advanceTimersByTimeAsync(100_000);
    expect(job.times).toEqual([]);
  });

  it('follows a new cron expression after rescheduling; its current run continues', async () => {
    const events: string[] = [];
    let cron = '*/10 * * * * *';
    const slow: Job = {
      name: 'slow',
      cron: () => cron,
      run: async () => {
        events.push(`begun ${Math.round(monotonic() / 1_000)}`);
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        events.push(`ended ${Math.round(monotonic() / 1_000)}`);
      },
    };
    await runJobs([slow], async (cronJobs) => {
      await vi.advanceTimersByTimeAsync(11_000);
      cron = '*/4 * * * * *';
      cronJobs.reschedule();
      await vi.advanceTimersByTimeAsync(8_500);
    });
    expect(events).toEqual(['begun 10', 'ended 13', 'begun 16', 'ended 19']);
  });

  it('can be run on demand, but not while it is running', async () => {
    let runs = 0;
    const job: Job = {
      name: 'slow',
      cron: () => '30 * * * * *',
      run: async () => {
        runs += 1;
        await new Promise((resolve) => setTimeout(resolve, 5_000));
      },
    };
    await runJobs([job], async (cronJobs) => {
      cronJobs.run('slow');
      cronJobs.run('slow');
      await vi.advanceTimersByTimeAsync(27_000);
      cronJobs.run('slow');
      await vi.advanceTimersByTimeAsync(20_000);
    });
    expect(runs).toBe(2);
  });

  it('never overlaps itself and does not block other jobs', async () => {
    let running = 0;
    let maxRunning = 0;
    const slow: Job = {
      name: 'slow',
      cron: () => '*/2 * * * * *',
      run: async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        running -= 1;
      },
    };
    const other = recordingJob('* * * * * *');
    await runJobs([slow, other], async () => {
      await vi.advanceTimersByTimeAsync(19_500);
    });
    expect(maxRunning).toBe(1);
    expect(other.times).toHaveLength(19);
  });

  it.each<[string, () => Promise<void>]>([
    ['rejects', async () => Promise.reject(new Error('rejected'))],
    [
      'throws',
      () => {
        throw new Error('thrown');
      },
    ],
  ])('that %s still runs next time and stops no other job', async (_how, run) => {
    const errors: string[] = [];
    const other = recordingJob('* * * * * *');
    await runJobs(
      [{ name: 'broken', cron: () => '* * * * * *', run }, other],
      async () => {
        await vi.advanceTimersByTimeAsync(3_000);
      },
      (job, error) => errors.push(`${job}: ${error instanceof Error ? error.message : ''}`),
    );
    expect(errors).toHaveLength(3);
    expect(errors[0]).toMatch(/^broken: (rejected|thrown)$/);
    expect(other.times).toEqual([1, 2, 3]);
  });
});

describe('a wall clock that is set', () => {
  it('by less than a minute, even repeatedly, delays no run by more than the time it was set back', async () => {
    const job = recordingJob('*/5 * * * * *');
    await runJobs([job], async () => {
      for (let step = 0; step < 100; step += 1) {
        shiftClock(step % 2 === 0 ? 30_000 : -3_000);
        await vi.advanceTimersByTimeAsync(5_000);
      }
    });
    const gaps = job.times.slice(1).map((time, index) => time - (job.times[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(5 + 3);
  });

  it.each([DAY_MS, -DAY_MS])('by %i ms lets rescheduled jobs follow the new time', async (byMs) => {
    const often = recordingJob('*/10 * * * * *');
    const daily = recordingJob('30 0 12 * * *');
    await runJobs([often, daily], async (cronJobs) => {
      await vi.advanceTimersByTimeAsync(12_000);
      shiftClock(byMs);
      cronJobs.reschedule();
      await vi.advanceTimersByTimeAsync(20_000);
    });
    expect(often.times).toEqual([10, 20, 30]);
    expect(daily.times).toEqual([30]);
  });

  it('ahead by half a minute runs a missed job once; back by half a minute delays no run by more than half a minute', async () => {
    const job = recordingJob('*/5 * * * * *');
    await runJobs([job], async () => {
      await vi.advanceTimersByTimeAsync(12_000);
      shiftClock(30_000);
      await vi.advanceTimersByTimeAsync(10_000);
      shiftClock(-30_000);
      await vi.advanceTimersByTimeAsync(45_000);
    });
    expect(job.times).toEqual([5, 10, 15, 20, 55, 60, 65]);
  });

  it('back by some seconds does not repeat a run', async () => {
    const job = recordingJob('30 0 12 * * *');
    await runJobs([job], async () => {
      await vi.advanceTimersByTimeAsync(31_000);
      shiftClock(-20_000);
      await vi.advanceTimersByTimeAsync(40_000);
    });
    expect(job.times).toEqual([30]);
  });
});

it('runs missed while the event loop was blocked are made up for by a single run', async () => {
  const rare = recordingJob('10 0 12 * * *');
  const often = recordingJob('*/2 * * * * *');
  await runJobs([rare, often], async () => {
    await vi.advanceTimersByTimeAsync(5_000);
    // No timer fires.
    shiftClock(20_000);
    await vi.advanceTimersByTimeAsync(6_000);
  });
  expect(rare.times).toHaveLength(1);
  expect(often.times).toHaveLength(2 + 3);
});

describe('stopping', () => {
  it('aborts running jobs, waits for them and starts no others', async () => {
    const events: string[] = [];
    const job: Job = {
      name: 'long',
      cron: () => '* * * * * *',
      run: async (signal) => {
        events.push('begun');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        events.push('aborted');
        await new Promise((resolve) => setTimeout(resolve, HOUR_MS));
        events.push('ended');
      },
    };
    await runJobs([job], async (cronJobs) => {
      await vi.advanceTimersByTimeAsync(2_500);
      const stopped = cronJobs.stop().then(() => events.push('stopped'));
      await vi.advanceTimersByTimeAsync(HOUR_MS);
      await stopped;
      cronJobs.start();
      cronJobs.run('long');
      cronJobs.reschedule();
      await vi.advanceTimersByTimeAsync(HOUR_MS);
    });
    expect(events).toEqual(['begun', 'aborted', 'ended', 'stopped']);
  });

  it('works twice, and before the start', async () => {
    await runJobs([recordingJob('* * * * * *')], async (cronJobs) => {
      await cronJobs.stop();
    });
    await new CronJobs([], () => undefined).stop();
  });
});

it('jobs run with real timers', async () => {
  vi.useRealTimers();
  const { promise, resolve } = Promise.withResolvers<void>();
  const job = { name: 'real', cron: () => '* * * * * *', run: async () => resolve() };
  const cronJobs = new CronJobs([job], () => undefined);
  cronJobs.start();
  await promise;
  await cronJobs.stop();
  vi.useFakeTimers();
});
