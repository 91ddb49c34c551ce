/** The limits of one check. */
export interface Limits {
  /** HTTP requests, including those of the identification. */
  requests: number;
  /** After this, no further request is started. */
  sendMs: number;
  /** After this, pending requests are aborted. Less than the promised minute, since aborting takes time. */
  totalMs: number;
}

export const CHECK_LIMITS: Limits = { requests: 40, sendMs: 50_000, totalMs: 57_000 };

/** @param callerSignal aborts the check. */
export function createBudget(limits: Limits, callerSignal: AbortSignal) {
  let sent = 0;
  let stopReason: string | null = null;
  let wasRefused = false;
  const controller = new AbortController();
  const stop = (why: string) => {
    stopReason ??= why;
  };
  const canSend = () => {
    if (sent >= limits.requests) stop(`${limits.requests} requests had been sent`);
    wasRefused ||= stopReason !== null;
    return stopReason === null;
  };
  const abort = (why: string) => {
    stop(why);
    wasRefused = true;
    controller.abort();
  };
  const timers = [
    setTimeout(() => stop(`${limits.sendMs / 1_000} seconds had passed`), limits.sendMs),
    setTimeout(() => abort(`${limits.totalMs / 1_000} seconds had passed`), limits.totalMs),
  ];
  const onCallerAbort = () => abort('the check was aborted');
  callerSignal.addEventListener('abort', onCallerAbort, { once: true });
  if (callerSignal.aborted) onCallerAbort();
  return {
    /** Requests sent so far. */
    get sent() {
      return sent;
    },
    /** Whether another request may be started. If not, the check counts as incomplete from then on. */
    canSend,
    /** Counts one request; false when no further one may be sent. To be called just before the request is sent. */
    spend() {
      if (!canSend()) return false;
      sent += 1;
      return true;
    },
    /** Allows no further request; the first reason is kept. */
    stop,
    /** Why a request was not sent; null while none was refused. */
    get incompleteReason() {
      return wasRefused ? stopReason : null;
    },
    /** Aborts pending requests. */
    signal: controller.signal as AbortSignal,
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
      callerSignal.removeEventListener('abort', onCallerAbort);
    },
  };
}

/** Counts the requests of a check and ends it at its limits. */
export type Budget = ReturnType<typeof createBudget>;
