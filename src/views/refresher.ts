/** A value made anew, beside the requests, when what it was made from has changed. */
export interface Refresher<Value> extends AsyncDisposable {
  /** The newest; null until there is a first one. */
  current(): Value | null;
  /** Resolves when the first attempt has ended, whether well or not. */
  readonly started: Promise<void>;
}

export interface RefresherOptions<Value> {
  /** What the value was made from: another answer means that it has changed. */
  mark: () => unknown;
  make: (previous: Value | null, signal: AbortSignal) => Promise<Value>;
  /** At least so long between two, and longer when making one takes long. */
  pauseMs: number;
  /** Made anew after so long even if nothing has changed, since ages count from the time of making. */
  mostAgeMs: number;
  onError: (error: unknown) => void;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

/** How often it is looked whether something has changed. */
const LOOK_MS = 500;
/** Making takes at most one part in so many of the time. */
const PARTS = 20;

/** Begins at once. What fails is told, keeps the value as it was, and is tried again. */
export function createRefresher<Value>(options: RefresherOptions<Value>): Refresher<Value> {
  const { mark, make, pauseMs, mostAgeMs, onError, clock } = options;
  const end = new AbortController();
  let current: Value | null = null;
  let madeFrom: unknown = null;
  let madeAt = Number.NEGATIVE_INFINITY;
  let dueAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    const startedAt = clock();
    try {
      const from = mark();
      if (from === madeFrom && startedAt - madeAt < mostAgeMs) return;
      current = await make(current, end.signal);
      madeFrom = from;
      madeAt = startedAt;
    } catch (error) {
      if (!end.signal.aborted) onError(error);
    }
    const endedAt = clock();
    dueAt = endedAt + Math.max(pauseMs, (endedAt - startedAt) * (PARTS - 1));
  }

  function look(): Promise<void> {
    if (running === null && clock() >= dueAt) {
      running = refresh().finally(() => {
        running = null;
      });
    }
    return running ?? Promise.resolve();
  }

  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return {
    current: () => current,
    started: look(),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      end.abort();
      await running;
    },
  };
}
