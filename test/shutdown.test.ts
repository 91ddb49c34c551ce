import { afterEach, expect, it, vi } from 'vitest';
import { abortOnSignal, shutDownOnSignals } from '../src/shutdown.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it.for(['SIGINT', 'SIGTERM'] as const)('%s aborts the AbortSignal and does not end the process', (name) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  using interrupt = abortOnSignal();
  expect(interrupt.signal.aborted).toBe(false);
  process.emit(name);
  expect(interrupt.signal.aborted).toBe(true);
  expect(exit).not.toHaveBeenCalled();
});

it('a second signal within half a second, as npm and the timeout command send it, is ignored; a later one ends the process', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  using _interrupt = abortOnSignal();
  process.emit('SIGTERM');
  clock.mockReturnValue(1_499);
  process.emit('SIGINT');
  expect(exit).not.toHaveBeenCalled();
  clock.mockReturnValue(1_500);
  process.emit('SIGTERM');
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
});

it('abortOnSignal removes its listeners when disposed', () => {
  const before = process.listenerCount('SIGTERM');
  abortOnSignal()[Symbol.dispose]();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

it('a shutdown has stages: the first signal drains, the second gives up, the third ends the process', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  using shutdown = shutDownOnSignals(() => 60_000);
  const stages = () => [shutdown.drain.aborted, shutdown.giveUp.aborted, exit.mock.calls.length];
  expect(stages()).toEqual([false, false, 0]);
  process.emit('SIGTERM');
  expect(stages()).toEqual([true, false, 0]);
  clock.mockReturnValue(2_000);
  process.emit('SIGINT');
  expect(stages()).toEqual([true, true, 0]);
  clock.mockReturnValue(3_000);
  process.emit('SIGTERM');
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
});

it('a shutdown gives up when the time to drain is over', async () => {
  vi.useFakeTimers();
  using shutdown = shutDownOnSignals(() => 5_000);
  process.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(4_999);
  expect(shutdown.giveUp.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(shutdown.giveUp.aborted).toBe(true);
});

it('a shutdown clears its timer when disposed', () => {
  vi.useFakeTimers();
  const shutdown = shutDownOnSignals(() => 5_000);
  process.emit('SIGTERM');
  expect(vi.getTimerCount()).toBe(1);
  shutdown[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});
