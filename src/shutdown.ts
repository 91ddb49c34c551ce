import { setImmediate as nextTurn } from 'node:timers/promises';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Exit code of a process killed by SIGINT. */
const INTERRUPTED = 130;
/** `timeout`, npm and terminals signal both the process and its group, so signals this close together count as one. */
const SAME_WITHIN_MS = 500;

/**
 * Returns a signal that aborts on the first SIGINT or SIGTERM, for a graceful end. The second, at least half a second later,
 * ends the process.
 */
export function abortOnSignal(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const listening = onSignals((count) => {
    if (count > 1) process.exit(INTERRUPTED);
    controller.abort();
  });
  return { signal: controller.signal, [Symbol.dispose]: listening[Symbol.dispose] };
}

/** Two-stage shutdown: `drain` finishes running work and starts no more, `giveUp` abandons running work. */
export interface Shutdown extends Disposable {
  readonly drain: AbortSignal;
  readonly giveUp: AbortSignal;
}

/**
 * The first SIGINT or SIGTERM aborts `drain`; the second, or the deadline, aborts `giveUp`; the third ends the process.
 *
 * @param deadlineMs read at the first signal.
 */
export function shutDownOnSignals(deadlineMs: () => number): Shutdown {
  const drain = new AbortController();
  const giveUp = new AbortController();
  let deadline: NodeJS.Timeout | undefined;
  const listening = onSignals((count) => {
    if (count > 2) process.exit(INTERRUPTED);
    if (count === 2) giveUp.abort();
    else deadline = setTimeout(() => giveUp.abort(), deadlineMs());
    drain.abort();
  });
  return {
    drain: drain.signal,
    giveUp: giveUp.signal,
    [Symbol.dispose]() {
      clearTimeout(deadline);
      listening[Symbol.dispose]();
    },
  };
}

/** Lets the listeners of signals run that came while the thread was blocked, as by a locked database. */
export async function handlePendingSignals(): Promise<void> {
  // The current turn of the event loop may have read its events already; the next one reads the signals.
  await nextTurn();
  await nextTurn();
}

/** @param onSignal receives the number of signals so far; signals within `SAME_WITHIN_MS` count once. */
function onSignals(onSignal: (count: number) => void): Disposable {
  let count = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  const listener = () => {
    const at = performance.now();
    if (at - lastAt < SAME_WITHIN_MS) return;
    lastAt = at;
    count++;
    onSignal(count);
  };
  for (const name of SIGNALS) process.on(name, listener);
  return {
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}

/** The result of the work; null when it was aborted by the signal. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  }
}
