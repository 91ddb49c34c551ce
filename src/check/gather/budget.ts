/** What a check may spend: requests, and time. */
export interface Limits {
  /** Requests over HTTP, those of the identification included. */
  requests: number;
  /** After this, nothing more is asked. */
  askMs: number;
  /** After this, what is still under way is given up; below the minute that a check may take, as ending takes time too. */
  wholeMs: number;
}

export const LIMITS: Limits = { requests: 40, askMs: 50_000, wholeMs: 57_000 };

/** The one place that counts what a check sends, and ends it when it has had its share. */
export interface Budget extends Disposable {
  /** Requests sent so far. */
  readonly sent: number;
  /** Whether another request may be begun. */
  readonly mayAsk: () => boolean;
  /** Takes one request off, if there is one left; to be called just before it is sent. */
  readonly spend: () => boolean;
  /** Nothing more is to be asked, for this reason; the first that is given holds. */
  readonly stop: (why: string) => void;
  /** Why not everything was asked; null as long as nothing was missed. */
  readonly cutShort: string | null;
  /** Aborts when what is under way is to be given up. */
  readonly signal: AbortSignal;
}

/** @param caller aborts when nobody wants the report any more. */
export function createBudget(limits: Limits, caller: AbortSignal): Budget {
  let sent = 0;
  let over: string | null = null;
  let isMissed = false;
  const ending = new AbortController();
  const stop = (why: string) => {
    over ??= why;
  };
  const mayAsk = () => {
    if (sent >= limits.requests) stop(`${limits.requests} requests had been sent`);
    isMissed ||= over !== null;
    return over === null;
  };
  const giveUp = (why: string) => {
    stop(why);
    isMissed = true;
    ending.abort();
  };
  const timers = [
    setTimeout(() => stop(`${limits.askMs / 1_000} seconds had passed`), limits.askMs),
    setTimeout(() => giveUp(`${limits.wholeMs / 1_000} seconds had passed`), limits.wholeMs),
  ];
  const onCaller = () => giveUp('the check was given up');
  caller.addEventListener('abort', onCaller, { once: true });
  if (caller.aborted) onCaller();
  return {
    get sent() {
      return sent;
    },
    mayAsk,
    spend() {
      if (!mayAsk()) return false;
      sent += 1;
      return true;
    },
    stop,
    get cutShort() {
      return isMissed ? over : null;
    },
    signal: ending.signal,
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
      caller.removeEventListener('abort', onCaller);
    },
  };
}
