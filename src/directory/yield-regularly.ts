import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Clock } from '../model/time.ts';

/** Maximum time for which work blocks the event loop, in milliseconds. */
const SLICE_MS = 5;

/**
 * Lets other work run during a long task. Call the returned function between the steps of the task. It returns null while the
 * task may continue, and a promise to await when others must run.
 */
export function createYielder(clock: Clock): () => Promise<void> | null {
  let endsAt = clock() + SLICE_MS;
  return () => {
    if (clock() < endsAt) return null;
    return yieldToOthers().then(() => {
      endsAt = clock() + SLICE_MS;
    });
  };
}
