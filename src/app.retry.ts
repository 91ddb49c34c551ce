/** Between attempts after a failure; doubles up to the longest. */
const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;

/** When something that failed may be tried again: after 10 s, then 20 s, and so on up to 5 minutes. */
export interface Retry {
  isDue(): boolean;
  failed(): void;
  succeeded(): void;
}

/** @param clock monotonic, in milliseconds. */
export function createRetry(clock: () => number): Retry {
  let at = Number.NEGATIVE_INFINITY;
  let waitMs = FIRST_MS;
  return {
    isDue: () => clock() >= at,
    failed() {
      at = clock() + waitMs;
      waitMs = Math.min(waitMs * 2, LONGEST_MS);
    },
    succeeded() {
      at = Number.NEGATIVE_INFINITY;
      waitMs = FIRST_MS;
    },
  };
}
