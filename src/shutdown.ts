const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** What a shell reports for a process that ended by SIGINT. */
const INTERRUPTED = 130;

/** A signal that aborts on the first SIGINT or SIGTERM, so that work can end in good order; the second ends the process. */
export function abortOnSignal(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
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
