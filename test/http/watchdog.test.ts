import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpFailure } from '../../src/http/failure.ts';
import { createWatchdog, type Watched } from '../../src/http/watchdog.ts';

const limits = { connectMs: 1_000, responseMs: 2_000, visitMs: 5_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request whose phase the test sets, and the failures with which the watchdog ended it. */
function watchedRequest() {
  const state = {
    socket: null as { connecting: boolean; secureConnecting: boolean } | null,
    hasAnswer: false,
    ended: [] as HttpFailure[],
  };
  const watched: Watched = {
    socket: () => state.socket as TLSSocket | null,
    hasAnswer: () => state.hasAnswer,
    end: (failure) => state.ended.push(failure),
  };
  return { state, watched };
}

const start = () => createWatchdog(limits, () => performance.now());

describe('the watchdog', () => {
  it.each<[HttpFailure, ReturnType<typeof watchedRequest>['state']['socket'], boolean, number]>([
    ['connect-timeout', null, false, 1_000],
    ['connect-timeout', { connecting: true, secureConnecting: true }, false, 1_000],
    ['tls-timeout', { connecting: false, secureConnecting: true }, false, 1_000],
    ['response-timeout', { connecting: false, secureConnecting: false }, false, 2_000],
    ['body-timeout', { connecting: false, secureConnecting: false }, true, 2_000],
  ])('ends a request with %s once its phase has lasted too long', (failure, socket, hasAnswer, limitMs) => {
    const watchdog = start();
    const { state, watched } = watchedRequest();
    Object.assign(state, { socket, hasAnswer });
    watchdog.watch(watched, performance.now());
    vi.advanceTimersByTime(limitMs - 1);
    expect(state.ended).toEqual([]);
    // It checks every 200 ms.
    vi.advanceTimersByTime(201);
    expect(state.ended[0]).toBe(failure);
    watchdog.unwatch(watched);
  });

  it('gives every phase its own time limit', () => {
    const watchdog = start();
    const { state, watched } = watchedRequest();
    watchdog.watch(watched, performance.now());
    vi.advanceTimersByTime(700);
    state.socket = { connecting: false, secureConnecting: true };
    vi.advanceTimersByTime(700);
    state.socket = { connecting: false, secureConnecting: false };
    vi.advanceTimersByTime(1_500);
    state.hasAnswer = true;
    vi.advanceTimersByTime(1_500);
    expect(state.ended).toEqual([]);
    watchdog.unwatch(watched);
  });

  it('ends a visit that takes too long, whatever the phase of its request', () => {
    const watchdog = start();
    const { state, watched } = watchedRequest();
    state.socket = { connecting: false, secureConnecting: false };
    watchdog.watch(watched, performance.now() - 4_500);
    vi.advanceTimersByTime(400);
    expect(state.ended).toEqual([]);
    vi.advanceTimersByTime(400);
    expect(state.ended[0]).toBe('visit-timeout');
    watchdog.unwatch(watched);
  });

  it('does not count time in which the event loop was blocked', () => {
    let now = 0;
    const watchdog = createWatchdog(limits, () => now);
    const { state, watched } = watchedRequest();
    state.socket = { connecting: false, secureConnecting: false };
    watchdog.watch(watched, now);
    now = 6_000;
    vi.advanceTimersToNextTimer();
    expect(state.ended).toEqual([]);
    for (let tick = 0; tick < 12; tick++) {
      now += 200;
      vi.advanceTimersToNextTimer();
    }
    expect(state.ended[0]).toBe('response-timeout');
    watchdog.unwatch(watched);
  });

  it('counts blocked time from the fourth block of the event loop on', () => {
    let now = 0;
    const watchdog = createWatchdog(limits, () => now);
    const { state, watched } = watchedRequest();
    state.socket = { connecting: false, secureConnecting: false };
    watchdog.watch(watched, now);
    for (let block = 0; block < 3; block += 1) {
      now += 1_500;
      vi.advanceTimersToNextTimer();
      expect(state.ended).toEqual([]);
    }
    now += 1_500;
    vi.advanceTimersToNextTimer();
    expect(state.ended[0]).toBe('response-timeout');
    watchdog.unwatch(watched);
  });

  it('runs no timer without requests', () => {
    const watchdog = start();
    const [first, second] = [watchedRequest(), watchedRequest()];
    expect(vi.getTimerCount()).toBe(0);
    watchdog.watch(first.watched, performance.now());
    watchdog.watch(second.watched, performance.now());
    expect(vi.getTimerCount()).toBe(1);
    watchdog.unwatch(first.watched);
    expect(vi.getTimerCount()).toBe(1);
    watchdog.unwatch(second.watched);
    expect(vi.getTimerCount()).toBe(0);
  });
});
