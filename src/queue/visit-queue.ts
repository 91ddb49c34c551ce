import PQueue from 'p-queue';
import { type Admission, type Claim, createAdmission } from './admission.ts';

/** The rate-limited worker queue: global concurrency and rate, and places for each host and address. */
export interface VisitQueue {
  /**
   * Runs `work` once its claims, a global slot and the rate allow. Waiting for a claim holds no global slot, so that one
   * address shared by many hosts cannot starve the rest.
   *
   * @param onWait called with true when it has to wait for a claim, and with false when that wait is over.
   */
  run<T>(claims: readonly Claim[], work: () => Promise<T>, onWait?: (isWaiting: boolean) => void): Promise<T | null>;
  /** Drops all work that has not begun, now and from now on; its `run` gives null. */
  cancelAll(): void;
}

export interface VisitQueueOptions {
  /** Pieces of work at a time. */
  concurrency: number;
  /** Starts a second; 0 means no limit. */
  perSecond: number;
}

/** Starts are spread over this many slices of a second, so that a rate is not a burst. */
const SLICES_PER_SECOND = 10;

export function createVisitQueue({ concurrency, perSecond }: VisitQueueOptions): VisitQueue {
  const admission: Admission = createAdmission();
  const queue = new PQueue({ concurrency, ...rateOf(perSecond) });
  const notBegun = new Set<() => void>();
  let isAbandoned = false;

  async function enterAndWork<T>(
    claims: readonly Claim[],
    work: () => Promise<T>,
    onWait?: (isWaiting: boolean) => void,
  ): Promise<T> {
    const waits = admission.isFull(claims);
    if (waits) onWait?.(true);
    await admission.enter(claims);
    if (waits) onWait?.(false);
    try {
      return await queue.add(work);
    } finally {
      admission.leave(claims);
    }
  }

  return {
    run<T>(claims: readonly Claim[], work: () => Promise<T>, onWait?: (isWaiting: boolean) => void) {
      const { promise, resolve, reject } = Promise.withResolvers<T | null>();
      const drop = () => resolve(null);
      if (isAbandoned) {
        drop();
        return promise;
      }
      notBegun.add(drop);
      const begin = async () => {
        notBegun.delete(drop);
        // A place that was waited for may come free after the end.
        return isAbandoned ? null : await work();
      };
      enterAndWork(claims, begin, onWait).then(resolve, reject);
      return promise;
    },

    cancelAll() {
      isAbandoned = true;
      queue.clear();
      for (const drop of notBegun) drop();
      notBegun.clear();
    },
  };
}

function rateOf(perSecond: number): { interval: number; intervalCap: number } | Record<string, never> {
  if (perSecond === 0) return {};
  const intervalCap = Math.max(1, Math.round(perSecond / SLICES_PER_SECOND));
  return { intervalCap, interval: (1_000 * intervalCap) / perSecond };
}
