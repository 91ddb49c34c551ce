import { afterEach, describe, expect, it, vi } from 'vitest';
import { createVisitQueue } from '../../src/queue/visit-queue.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose tasks run until the test ends them. `max.running` is the highest number of tasks that ran at once. */
function setUp(options: { concurrency: number; perSecond: number }) {
  const queue = createVisitQueue(options);
  const running: { name: string; end: () => void }[] = [];
  const max = { running: 0 };
  const run = (name: string, ...keys: string[]) =>
    queue.run(
      keys.map((key) => ({ key, limit: 1 })),
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const task = { name, end: resolve };
        running.push(task);
        max.running = Math.max(max.running, running.length);
        await promise;
        running.splice(running.indexOf(task), 1);
        return name;
      },
    );
  return { queue, running, max, run, runningNames: () => running.map(({ name }) => name) };
}

describe('concurrency', () => {
  it('is fully used and never exceeded', async () => {
    const { running, max, run } = setUp({ concurrency: 3, perSecond: 0 });
    const results = Promise.all(Array.from({ length: 20 }, (_, i) => run(`${i}`)));
    await settled();
    expect(running).toHaveLength(3);
    while (running.length > 0) {
      running[0]?.end();
      await settled();
    }
    expect(await results).toHaveLength(20);
    expect(max.running).toBe(3);
  });

  it('does not count work that waits for a busy key', async () => {
    const { running, run, runningNames } = setUp({ concurrency: 2, perSecond: 0 });
    const results = [run('cdn 1', 'cdn'), run('cdn 2', 'cdn'), run('cdn 3', 'cdn'), run('other', 'elsewhere')];
    await settled();
    expect(runningNames()).toEqual(['cdn 1', 'other']);
    for (let i = 0; i < 4; i++) {
      for (const { end } of [...running]) end();
      await settled();
    }
    expect(await Promise.all(results)).toEqual(['cdn 1', 'cdn 2', 'cdn 3', 'other']);
  });
});

describe('run', () => {
  it('releases its slots if the work fails, and rejects with the error', async () => {
    const { queue } = setUp({ concurrency: 1, perSecond: 0 });
    const claims = [{ key: 'host', limit: 1 }];
    const failing = queue.run(claims, async () => {
      throw new Error('it broke');
    });
    await expect(failing).rejects.toThrow('it broke');
    expect(await queue.run(claims, async () => 'next')).toBe('next');
  });

  it('reports the start and end of a wait for a claim, and nothing without a wait', async () => {
    const { queue } = setUp({ concurrency: 4, perSecond: 0 });
    const claims = [{ key: 'host', limit: 1 }];
    const onWait = vi.fn();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = queue.run(claims, () => promise, onWait);
    await settled();
    expect(onWait).not.toHaveBeenCalled();
    const second = queue.run(claims, async () => 'done', onWait);
    await settled();
    expect(onWait.mock.calls).toEqual([[true]]);
    resolve();
    await first;
    expect(await second).toBe('done');
    expect(onWait.mock.calls).toEqual([[true], [false]]);
  });
});

describe('rate', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([1, 3, 5, 20, 64, 250])('of %i a second is met to within a fifth, without bursts', async (perSecond) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
    const queue = createVisitQueue({ concurrency: 1_000, perSecond });
    const starts: number[] = [];
    const seconds = 20;
    for (let i = 0; i < perSecond * seconds * 2; i++) {
      void queue.run([], async () => {
        starts.push(Date.now());
      });
    }
    const begin = Date.now();
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    expect(starts.length / seconds).toBeGreaterThan(perSecond * 0.8);
    expect(starts.length / seconds).toBeLessThan(perSecond * 1.2);
    for (let second = 0; second < seconds; second++) {
      const inSecond = starts.filter((at) => at - begin >= second * 1_000 && at - begin < (second + 1) * 1_000);
      expect(inSecond.length).toBeLessThanOrEqual(Math.ceil(perSecond * 1.2));
    }
    const inFirstTenth = starts.filter((at) => at - begin < 100);
    expect(inFirstTenth.length).toBeLessThanOrEqual(Math.max(2, perSecond * 0.2));
  });

  it('of 0 is unlimited', async () => {
    const queue = createVisitQueue({ concurrency: 1_000, perSecond: 0 });
    let started = 0;
    await Promise.all(Array.from({ length: 1_000 }, () => queue.run([], async () => void started++)));
    expect(started).toBe(1_000);
  });
});
