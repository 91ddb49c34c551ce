import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHECK_LIMITS, createBudget } from '../../../src/check/gather/budget.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const neverAborted = new AbortController().signal;

describe('the budget of a check', () => {
  it('is forty requests and one minute', () => {
    expect(CHECK_LIMITS.requests).toBe(40);
    expect(CHECK_LIMITS.sendMs).toBe(50_000);
    expect(CHECK_LIMITS.totalMs).toBeLessThan(60_000);
  });

  it('grants no more requests than its limit, and counts those granted', () => {
    using budget = createBudget({ ...CHECK_LIMITS, requests: 3 }, neverAborted);
    expect(Array.from({ length: 5 }, budget.spend)).toEqual([true, true, true, false, false]);
    expect(budget.sent).toBe(3);
    expect(budget.incompleteReason).toBe('3 requests had been sent');
  });

  it('has no reason for an incomplete check when no request was refused', () => {
    using budget = createBudget({ ...CHECK_LIMITS, requests: 2 }, neverAborted);
    budget.spend();
    budget.spend();
    vi.advanceTimersByTime(CHECK_LIMITS.sendMs);
    expect(budget.incompleteReason).toBeNull();
  });

  it('refuses new requests after the send limit, and aborts running ones at the total limit', () => {
    using budget = createBudget(CHECK_LIMITS, neverAborted);
    vi.advanceTimersByTime(CHECK_LIMITS.sendMs - 1);
    expect(budget.canSend()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(budget.spend()).toBe(false);
    expect(budget.incompleteReason).toBe('50 seconds had passed');
    expect(budget.signal.aborted).toBe(false);
    vi.advanceTimersByTime(CHECK_LIMITS.totalMs - CHECK_LIMITS.sendMs);
    expect(budget.signal.aborted).toBe(true);
  });

  it('keeps the first reason to stop', () => {
    using budget = createBudget(CHECK_LIMITS, neverAborted);
    budget.stop('the first');
    budget.stop('the second');
    expect(budget.canSend()).toBe(false);
    expect(budget.incompleteReason).toBe('the first');
  });

  it('ends when its caller aborts, even if the caller had aborted before the budget was created', () => {
    const caller = new AbortController();
    using budget = createBudget(CHECK_LIMITS, caller.signal);
    caller.abort();
    expect(budget.signal.aborted).toBe(true);
    expect(budget.spend()).toBe(false);
    using late = createBudget(CHECK_LIMITS, caller.signal);
    expect(late.signal.aborted).toBe(true);
  });

  it('leaves no timer behind', () => {
    createBudget(CHECK_LIMITS, neverAborted)[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });
});
