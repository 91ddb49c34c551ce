import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Maximum time that work may block the event loop. */
const SLICE_MS = 5;

/**
 * Lets other work run during a long task. Call the returned function between the steps of the task, and await the result unless that is null.
 *
 * @param clock monotonic, in milliseconds.
 */
export function createYielder(clock: () => number): () => Promise<void> | null {
  let endsAt = clock() + SLICE_MS;
  return () => {
    if (clock() < endsAt) return null;
    return yieldToOthers().then(() => {
      endsAt = clock() + SLICE_MS;
    });
  };
}
