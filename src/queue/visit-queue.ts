import PQueue from 'p-queue';
import { type Admission, type Claim, createAdmission } from './admission.ts';

/** Runs work within limits: a global concurrency and rate, and the claims on hosts and addresses. */
export interface VisitQueue {
  /**
   * Runs `work` once its claims, the global concurrency and the rate allow it. While it waits for a claim, it holds no global slot, so that
   * one address shared by many hosts cannot starve the rest.
   *
   * @param onWait called with true when a wait for a claim starts, and with false when it ends.
   */
  run<T>(claims: readonly Claim[], work: () => Promise<T>, onWait?: (isWaiting: boolean) => void): Promise<T | null>;
  /** Drops all work that has not begun, and all later work; those `run` calls resolve with null. */
  cancelAll(): void;
}

export interface VisitQueueOptions {
  /** Maximum number of `work` functions that run at once. */
  concurrency: number;
  /** Maximum starts per second; 0 means no limit. */
  perSecond: number;
}

/** Starts are spread over the second, so that they do not form one burst each second. */
const SLICES_PER_SECOND = 10;

export function createVisitQueue({ concurrency, perSecond }: VisitQueueOptions): VisitQueue {
  const admission: Admission = createAdmission();
  const queue = new PQueue({ concurrency, ...rateOptions(perSecond) });
  const notStarted = new Set<() => void>();
  let isCancelled = false;

  async function enterAndWork<T>(
    claims: readonly Claim[],
    work: () => Promise<T>,
    onWait?: (isWaiting: boolean) => void,
  ): Promise<T> {
    const mustWait = admission.isFull(claims);
    if (mustWait) onWait?.(true);
    await admission.enter(claims);
    if (mustWait) onWait?.(false);
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
      if (isCancelled) {
        drop();
        return promise;
      }
      notStarted.add(drop);
      const begin = async () => {
        notStarted.delete(drop);
        // A claim can be granted after `cancelAll`.
        return isCancelled ? null : await work();
      };
      enterAndWork(claims, begin, onWait).then(resolve, reject);
      return promise;
    },

    cancelAll() {
      isCancelled = true;
      queue.clear();
      for (const drop of notStarted) drop();
      notStarted.clear();
    },
  };
}

function rateOptions(perSecond: number): { interval: number; intervalCap: number } | Record<string, never> {
  if (perSecond === 0) return {};
  // At a low rate, an interval is longer than a slice, because it has at least one start.
  const intervalCap = Math.max(1, Math.round(perSecond / SLICES_PER_SECOND));
  return { intervalCap, interval: (1_000 * intervalCap) / perSecond };
}
