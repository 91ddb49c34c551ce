import type { Clock } from '../model/time.ts';

export interface RefresherOptions<Value> {
  /** Version of the data: a different result means that the data has changed. */
  version: () => unknown;
  make: (previous: Value | null, signal: AbortSignal) => Promise<Value>;
  /** Minimum pause between two runs; longer when a run takes long. */
  pauseMs: number;
  /** Whether the value must be recomputed without the pause; checked twice a second. */
  isUrgent?: (current: Value | null) => boolean;
  /** The value is recomputed after this time even without a change, because the ages in it are relative to the time of the run. */
  maxAgeMs: number;
  onError: (error: unknown) => void;
  clock: Clock;
}

/** Interval between checks for a change. */
const CHECK_MS = 500;
/** Runs take at most this share of the time. */
const MAX_SHARE = 1 / 20;

/** A value recomputed in the background when the data behind it changes. The first run starts at once. After an error the value stays, and the next run tries again. */
export function createRefresher<Value>(options: RefresherOptions<Value>) {
  const { version, make, pauseMs, isUrgent = () => false, maxAgeMs, onError, clock } = options;
  const end = new AbortController();
  let current: Value | null = null;
  let madeFromVersion: unknown = null;
  let madeAt = Number.NEGATIVE_INFINITY;
  let dueAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    const startedAt = clock();
    try {
      const dataVersion = version();
      if (dataVersion === madeFromVersion && startedAt - madeAt < maxAgeMs) return;
      current = await make(current, end.signal);
      madeFromVersion = dataVersion;
      madeAt = startedAt;
    } catch (error) {
      if (!end.signal.aborted) onError(error);
    }
    const endedAt = clock();
    dueAt = endedAt + Math.max(pauseMs, (endedAt - startedAt) * (1 / MAX_SHARE - 1));
  }

  function check(): Promise<void> {
    if (running === null && (clock() >= dueAt || isUrgent(current))) {
      running = refresh().finally(() => {
        running = null;
      });
    }
    return running ?? Promise.resolve();
  }

  const timer = setInterval(check, CHECK_MS);
  timer.unref();
  return {
    /** Null until the first run has succeeded. */
    current: () => current,
    /** Resolves when the first attempt has ended, successful or not. */
    firstAttempt: check(),
    async [Symbol.asyncDispose](): Promise<void> {
      clearInterval(timer);
      end.abort();
      await running;
    },
  };
}
