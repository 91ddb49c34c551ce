import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from './store-error.ts';

export interface Patience {
  /** How long to try, in milliseconds. */
  forMs: number;
  /** Called once, when the first attempt met a lock. */
  onWait?: (() => void) | undefined;
  /** Ends the waiting: the next attempt is the last. */
  signal?: AbortSignal | undefined;
}

const PAUSE_MS = 50;

/**
 * Does work on the store, and does it again while another process has the database locked; each attempt blocks this thread for no
 * longer than the store's busy time-out.
 *
 * @throws {StoreError} `locked` when the patience is at its end; whatever else the work throws, at once.
 */
export async function patiently<Result>(work: () => Result, { forMs, onWait, signal }: Patience): Promise<Result> {
  const startedAt = performance.now();
  for (let attempts = 1; ; attempts++) {
    try {
      return work();
    } catch (error) {
      const isLocked = error instanceof StoreError && error.code === 'locked';
      if (!isLocked || signal?.aborted === true || performance.now() - startedAt > forMs) throw error;
      if (attempts === 1) onWait?.();
    }
    await delay(PAUSE_MS);
  }
}
