import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from './store-error.ts';

export interface RetryOptions {
  /** How long to retry, in milliseconds; two minutes unless given. */
  forMs?: number;
  /** Called once, when the first attempt met a lock. */
  onWait?: (() => void) | undefined;
  /** Once aborted, the next attempt is the last. */
  signal?: AbortSignal | undefined;
}

const LOCK_PATIENCE_MS = 120_000;
const PAUSE_MS = 50;

/**
 * Runs work on the store, and runs it again while another process has the database locked. Each attempt blocks this thread for no
 * longer than the store's busy time-out.
 *
 * @throws {StoreError} `locked` when the time is over; whatever else the work throws, at once.
 */
export async function retryWhileLocked<Result>(
  work: () => Result,
  { forMs = LOCK_PATIENCE_MS, onWait, signal }: RetryOptions = {},
): Promise<Result> {
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
