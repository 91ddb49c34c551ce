import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from './store-error.ts';

export interface RetryOptions {
  /** How long to retry, in milliseconds. Default: two minutes. */
  forMs?: number;
  /** Called once, after the first attempt failed because of a lock. */
  onWait?: (() => void) | undefined;
  /** Once aborted, the next attempt is the last. */
  signal?: AbortSignal | undefined;
}

const DEFAULT_RETRY_MS = 120_000;
const PAUSE_MS = 50;

/**
 * Retries work on the store while another process has locked the database. Each attempt blocks the thread for at most the store's busy
 * time-out.
 *
 * @throws {StoreError} `locked` when `forMs` is over; rethrows other errors at once.
 */
export async function retryWhileLocked<Result>(
  work: () => Result,
  { forMs = DEFAULT_RETRY_MS, onWait, signal }: RetryOptions = {},
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
