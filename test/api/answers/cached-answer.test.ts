import { expect, test } from 'vitest';
import { createCachedAnswer } from '../../../src/api/answers/cached-answer.ts';

/** A cached answer with a manual clock; the test completes the `creations` of its values. */
function openCached() {
  const time = { ms: 0, version: 0 };
  const creations: PromiseWithResolvers<{ value: string; isCacheable: boolean }>[] = [];
  const make = () => {
    const next = Promise.withResolvers<{ value: string; isCacheable: boolean }>();
    creations.push(next);
    return next.promise;
  };
  return {
    time,
    creations,
    get: createCachedAnswer(make, { maxAgeMs: 100, version: () => time.version, now: () => time.ms }),
  };
}

test('the first callers wait for the same value, and later ones get it at once', async () => {
  const { creations, get } = openCached();
  const both = Promise.all([get(), get()]);
  creations[0]?.resolve({ value: 'one', isCacheable: true });
  expect(await both).toEqual(['one', 'one']);
  expect(await get()).toBe('one');
  expect(creations).toHaveLength(1);
});

test('an old value is returned while the next one is made, and also when that fails', async () => {
  const { time, creations, get } = openCached();
  const first = get();
  creations[0]?.resolve({ value: 'one', isCacheable: true });
  await first;
  time.ms = 150;
  expect([await get(), await get()]).toEqual(['one', 'one']);
  expect(creations).toHaveLength(2);
  creations[1]?.reject(new Error('broken'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(await get()).toBe('one');
  creations[2]?.resolve({ value: 'three', isCacheable: true });
  await expect.poll(get).toBe('three');
});

test('a value that must not be cached is made again, and an error is passed on', async () => {
  const { creations, get } = openCached();
  const first = get();
  creations[0]?.resolve({ value: 'early', isCacheable: false });
  expect(await first).toBe('early');
  const second = get();
  creations[1]?.reject(new Error('broken'));
  await expect(second).rejects.toThrow('broken');
  expect(creations).toHaveLength(2);
});

test('a value of an earlier version is never returned, not even one that was being made', async () => {
  const { time, creations, get } = openCached();
  const first = get();
  creations[0]?.resolve({ value: 'one', isCacheable: true });
  await first;
  time.version = 1;
  const second = get();
  time.version = 2;
  const third = get();
  creations[2]?.resolve({ value: 'three', isCacheable: true });
  expect(await third).toBe('three');
  creations[1]?.resolve({ value: 'two', isCacheable: true });
  await second;
  const fourth = get();
  creations[3]?.resolve({ value: 'four', isCacheable: true });
  expect(await fourth).toBe('four');
});
