const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** What a shell reports for a process that ended by SIGINT. */
const INTERRUPTED = 130;
/** `timeout`, npm and terminals send a signal to the process and to its group: what comes so soon after the first is the same one. */
const SAME_WITHIN_MS = 500;

/**
 * A signal that aborts on the first SIGINT or SIGTERM, so that work can end in good order; the second, half a second later or more,
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

/** Two stages of an end: to finish what runs and begin nothing, then to give up what runs. */
export interface Shutdown extends Disposable {
  readonly drain: AbortSignal;
  readonly giveUp: AbortSignal;
}

/**
 * The first SIGINT or SIGTERM aborts `drain`; the second, or the time that the first leaves, aborts `giveUp`; the third ends
 * the process.
 *
 * @param deadlineMs read when the first signal comes.
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

/** @param onSignal is given how many signals have come, those that are the same one counted once. */
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
