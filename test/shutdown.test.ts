import { afterEach, expect, it, vi } from 'vitest';
import { abortOnSignal } from '../src/shutdown.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it.for(['SIGINT', 'SIGTERM'] as const)('%s aborts, and does not end the process', (name) => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  using interrupt = abortOnSignal();
  expect(interrupt.signal.aborted).toBe(false);
  process.emit(name);
  expect(interrupt.signal.aborted).toBe(true);
  expect(exit).not.toHaveBeenCalled();
});

it('a signal that is sent twice, as timeout and npm do, is one; a second one half a second later ends the process', () => {
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

it('listens no longer once it is disposed of', () => {
  const before = process.listenerCount('SIGTERM');
  abortOnSignal()[Symbol.dispose]();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
