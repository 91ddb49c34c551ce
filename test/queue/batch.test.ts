import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBatch } from '../../src/queue/batch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A batch of at most three, kept for at most 100 ms, and what it handed on. */
function setUp() {
  const handedOn: string[][] = [];
  const batch = createBatch<string>({ size: 3, waitMs: 100 }, (items) => {
    handedOn.push(items);
  });
  return { batch, handedOn };
}

describe('a batch', () => {
  it('is handed on as soon as it is full', () => {
    const { batch, handedOn } = setUp();
    for (const item of ['a', 'b', 'c', 'd']) void batch.add(item);
    expect(handedOn).toEqual([['a', 'b', 'c']]);
  });

  it('is handed on when its first item has waited long enough', () => {
    const { batch, handedOn } = setUp();
    void batch.add('a');
    vi.advanceTimersByTime(60);
    void batch.add('b');
    vi.advanceTimersByTime(39);
    expect(handedOn).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(handedOn).toEqual([['a', 'b']]);
  });

  it('waits anew after it was full', () => {
    const { batch, handedOn } = setUp();
    for (const item of ['a', 'b', 'c']) void batch.add(item);
    vi.advanceTimersByTime(99);
    void batch.add('d');
    vi.advanceTimersByTime(99);
    expect(handedOn).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(handedOn).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('is handed on at once by flush, and an empty one never', () => {
    const { batch, handedOn } = setUp();
    batch.flush();
    void batch.add('a');
    batch.flush();
    batch.flush();
    vi.advanceTimersByTime(1_000);
    expect(handedOn).toEqual([['a']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells each who added to it once it has been handed on, not before', async () => {
    const { batch } = setUp();
    const told: string[] = [];
    for (const item of ['a', 'b']) void batch.add(item).then(() => told.push(item));
    await vi.advanceTimersByTimeAsync(99);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual(['a', 'b']);
  });

  it('is not handed on while a hand-over is under way; what gathers meanwhile goes together, next', async () => {
    const handedOn: string[][] = [];
    const first = Promise.withResolvers<void>();
    const batch = createBatch<string>({ size: 2, waitMs: 100 }, async (items) => {
      handedOn.push(items);
      if (handedOn.length === 1) await first.promise;
    });
    const told: string[] = [];
    for (const item of ['a', 'b', 'c', 'd', 'e']) void batch.add(item).then(() => told.push(item));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(handedOn).toEqual([['a', 'b']]);
    expect(told).toEqual([]);
    first.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(handedOn).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
    expect(told).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells those alone whose hand-over was rejected', async () => {
    const handOver = vi.fn().mockRejectedValueOnce(new Error('locked for good'));
    const batch = createBatch<string>({ size: 1, waitMs: 100 }, handOver);
    const lost = expect(batch.add('a')).rejects.toThrow('locked for good');
    const kept = batch.add('b');
    await lost;
    await kept;
    expect(handOver).toHaveBeenLastCalledWith(['b']);
  });

  it('tells those alone whose hand-over failed, and goes on', async () => {
    const handOver = vi.fn().mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    const batch = createBatch<string>({ size: 2, waitMs: 100 }, handOver);
    const lost = [batch.add('a'), batch.add('b')];
    await expect(lost[0]).rejects.toThrow('the disk is full');
    await expect(lost[1]).rejects.toThrow('the disk is full');
    await Promise.all([batch.add('c'), batch.add('d')]);
    expect(handOver).toHaveBeenLastCalledWith(['c', 'd']);
  });
});
