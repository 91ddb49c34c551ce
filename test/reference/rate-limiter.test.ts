import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../src/reference/rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const later = (seconds: number) => vi.setSystemTime(Date.now() + 1000 * seconds);
const attempts = async (limiter: RateLimiter, count: number, limit: { perMinute: number; perHour: number }) => {
  const all = [];
  for (let done = 0; done < count; done += 1) all.push(await limiter.attempt('127.0.0.1', limit));
  return all.map(({ retryAfterMs }) => retryAfterMs);
};

describe('createRateLimiter', () => {
  it('lets an address ask so many times in a minute that begins with the first, and again after it', async () => {
    const limiter = createRateLimiter();
    const limit = { perMinute: 3, perHour: 100 };
    expect(await attempts(limiter, 1, limit)).toEqual([null]);
    later(20);
    expect(await attempts(limiter, 3, limit)).toEqual([null, null, 40_000]);
    later(39.5);
    expect(await attempts(limiter, 1, limit)).toEqual([500]);
    later(0.5);
    expect(await attempts(limiter, 4, limit)).toEqual([null, null, null, 60_000]);
  });

  it('lets an address ask so many times in an hour, and names the longer wait', async () => {
    const limiter = createRateLimiter();
    const limit = { perMinute: 2, perHour: 5 };
    expect(await attempts(limiter, 2, limit)).toEqual([null, null]);
    later(600);
    expect(await attempts(limiter, 2, limit)).toEqual([null, null]);
    later(600);
    expect(await attempts(limiter, 3, limit)).toEqual([null, 2_400_000, 2_400_000]);
    later(2_400);
    expect(await attempts(limiter, 1, limit)).toEqual([null]);
  });

  it('counts every address for itself, and tells which window is the scarcer', async () => {
    const limiter = createRateLimiter();
    const limit = { perMinute: 10, perHour: 4 };
    expect(await limiter.attempt('127.0.0.1', limit)).toEqual({ limit: 4, remaining: 3, retryAfterMs: null });
    expect(await limiter.attempt('127.0.0.1', limit)).toMatchObject({ remaining: 2 });
    expect(await limiter.attempt('127.0.0.2', limit)).toMatchObject({ remaining: 3 });
  });

  it('takes another limit from the next attempt on', async () => {
    const limiter = createRateLimiter();
    expect(await attempts(limiter, 2, { perMinute: 1, perHour: 100 })).toEqual([null, 60_000]);
    expect(await attempts(limiter, 2, { perMinute: 4, perHour: 100 })).toEqual([null, null]);
    expect(await attempts(limiter, 1, { perMinute: 0, perHour: 100 })).toEqual([60_000]);
  });

  it('forgets all of them when told to', async () => {
    const limiter = createRateLimiter();
    expect(await attempts(limiter, 2, { perMinute: 1, perHour: 9 })).toEqual([null, 60_000]);
    limiter.forget();
    expect(await attempts(limiter, 1, { perMinute: 1, perHour: 9 })).toEqual([null]);
  });

  it('forgets the address that came first when there are more than it holds', async () => {
    const limiter = createRateLimiter(2);
    const limit = { perMinute: 9, perHour: 90 };
    for (const address of ['1', '2', '3']) await limiter.attempt(address, limit);
    expect(await limiter.attempt('3', limit)).toMatchObject({ remaining: 7 });
    expect(await limiter.attempt('1', limit)).toMatchObject({ remaining: 8 });
  });
});
