import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** So long may work hold the event loop in one piece, in milliseconds. */
const SLICE_MS = 5;

/**
 * Cuts long work into slices: to be called between its steps, it answers what is to be awaited when a slice is used up, else null.
 *
 * @param clock monotonic, in milliseconds.
 */
export function createSlices(clock: () => number): () => Promise<void> | null {
  let endsAt = clock() + SLICE_MS;
  return () => {
    if (clock() < endsAt) return null;
    return yieldToOthers().then(() => {
      endsAt = clock() + SLICE_MS;
    });
  };
}
