import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBatch } from '../../../src/crawl/workers/batch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A batch of at most three items, flushed after at most 100 ms, and its flushed items. */
function setUp() {
  const flushed: string[][] = [];
  const batch = createBatch<string>({ size: 3, waitMs: 100 }, (items) => {
    flushed.push(items);
  });
  return { batch, flushed };
}

describe('a batch', () => {
  it('is flushed as soon as it is full', () => {
    const { batch, flushed } = setUp();
    for (const item of ['a', 'b', 'c', 'd']) void batch.add(item);
    expect(flushed).toEqual([['a', 'b', 'c']]);
  });

  it('is flushed when its first item has waited for the maximum time', () => {
    const { batch, flushed } = setUp();
    void batch.add('a');
    vi.advanceTimersByTime(60);
    void batch.add('b');
    vi.advanceTimersByTime(39);
    expect(flushed).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(flushed).toEqual([['a', 'b']]);
  });

  it('restarts its timer after a full batch', () => {
    const { batch, flushed } = setUp();
    for (const item of ['a', 'b', 'c']) void batch.add(item);
    vi.advanceTimersByTime(99);
    void batch.add('d');
    vi.advanceTimersByTime(99);
    expect(flushed).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(flushed).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('is flushed at once by flush(), unless it is empty', () => {
    const { batch, flushed } = setUp();
    batch.flush();
    void batch.add('a');
    batch.flush();
    batch.flush();
    vi.advanceTimersByTime(1_000);
    expect(flushed).toEqual([['a']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('resolves each add only after the flush', async () => {
    const { batch } = setUp();
    const resolved: string[] = [];
    for (const item of ['a', 'b']) void batch.add(item).then(() => resolved.push(item));
    await vi.advanceTimersByTimeAsync(99);
    expect(resolved).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(resolved).toEqual(['a', 'b']);
  });

  it('is not flushed during another flush; items added meanwhile are flushed together afterwards', async () => {
    const flushed: string[][] = [];
    const first = Promise.withResolvers<void>();
    const batch = createBatch<string>({ size: 2, waitMs: 100 }, async (items) => {
      flushed.push(items);
      if (flushed.length === 1) await first.promise;
    });
    const resolved: string[] = [];
    for (const item of ['a', 'b', 'c', 'd', 'e']) void batch.add(item).then(() => resolved.push(item));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(flushed).toEqual([['a', 'b']]);
    expect(resolved).toEqual([]);
    first.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(flushed).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
    expect(resolved).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects only the adds of the flush that rejected', async () => {
    const flush = vi.fn().mockRejectedValueOnce(new Error('the database is locked'));
    const batch = createBatch<string>({ size: 1, waitMs: 100 }, flush);
    const rejected = expect(batch.add('a')).rejects.toThrow('the database is locked');
    const recorded = batch.add('b');
    await rejected;
    await recorded;
    expect(flush).toHaveBeenLastCalledWith(['b']);
  });

  it('rejects only the adds of the flush that threw', async () => {
    const flush = vi.fn().mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    const batch = createBatch<string>({ size: 2, waitMs: 100 }, flush);
    const rejected = [batch.add('a'), batch.add('b')];
    await expect(rejected[0]).rejects.toThrow('the disk is full');
    await expect(rejected[1]).rejects.toThrow('the disk is full');
    await Promise.all([batch.add('c'), batch.add('d')]);
    expect(flush).toHaveBeenLastCalledWith(['c', 'd']);
  });
});
