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
  let firstAt: number | null = null;
  const onSignal = () => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt >= SAME_WITHIN_MS) process.exit(INTERRUPTED);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
