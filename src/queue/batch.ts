/** Gathers items and hands them on together: when there are enough of them, or when the first has waited long enough. */
export interface Batch<T> {
  /** Resolves once the item has been handed on; rejects with what the hand-over threw. */
  add(item: T): Promise<void>;
  /** Hands on what is gathered now. */
  flush(): void;
}

export function createBatch<T>(
  { size, waitMs }: { size: number; waitMs: number },
  handOver: (items: T[]) => void,
): Batch<T> {
  let items: T[] = [];
  let round = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (items.length === 0) return;
    const gathered = items;
    const { resolve, reject } = round;
    items = [];
    round = Promise.withResolvers();
    try {
      handOver(gathered);
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  return {
    add(item) {
      items.push(item);
      const { promise } = round;
      if (items.length >= size) flush();
      else timer ??= setTimeout(flush, waitMs);
      return promise;
    },
    flush,
  };
}
