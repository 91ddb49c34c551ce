/** Gathers items and hands them on together: when there are enough of them, or when the first has waited long enough. */
export interface Batch<T> {
  /** Resolves once the item has been handed on; rejects with what the hand-over threw. */
  add(item: T): Promise<void>;
  /** Hands on what is gathered now; while a hand-over is under way, as soon as that is over. */
  flush(): void;
}

/** @param handOver one at a time: what is gathered while it takes its time goes together, next. */
export function createBatch<T>(
  { size, waitMs }: { size: number; waitMs: number },
  handOver: (items: T[]) => void | Promise<void>,
): Batch<T> {
  let items: T[] = [];
  let round = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | null = null;
  let isHandingOver = false;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (items.length === 0 || isHandingOver) return;
    const gathered = items;
    const { resolve, reject } = round;
    items = [];
    round = Promise.withResolvers();
    try {
      const handing = handOver(gathered);
      if (handing === undefined) {
        resolve();
        return;
      }
      isHandingOver = true;
      handing.then(resolve, reject).finally(() => {
        isHandingOver = false;
        flush();
      });
    } catch (error) {
      reject(error);
    }
  }

  return {
    add(item) {
      items.push(item);
      const { promise } = round;
      if (items.length >= size) flush();
      else if (!isHandingOver) timer ??= setTimeout(flush, waitMs);
      return promise;
    },
    flush,
  };
}
