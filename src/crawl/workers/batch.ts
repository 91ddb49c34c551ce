/** Collects items and processes them together: when the batch is full, or when its first item has waited long enough. */
export interface Batch<T> {
  /** Resolves when the item has been processed; rejects with the error of its batch. */
  add(item: T): Promise<void>;
  /** Processes the collected items now, or as soon as the running batch ends. */
  flush(): void;
}

/** @param process is called with one batch at a time; items that arrive while it runs form the next batch. */
export function createBatch<T>(
  { size, waitMs }: { size: number; waitMs: number },
  process: (items: T[]) => void | Promise<void>,
): Batch<T> {
  let items: T[] = [];
  /** Settles when `items` have been processed. */
  let outcome = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | null = null;
  let isProcessing = false;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (items.length === 0 || isProcessing) return;
    const batch = items;
    const { resolve, reject } = outcome;
    items = [];
    outcome = Promise.withResolvers();
    try {
      const running = process(batch);
      if (running === undefined) {
        resolve();
        return;
      }
      isProcessing = true;
      running.then(resolve, reject).finally(() => {
        isProcessing = false;
        flush();
      });
    } catch (error) {
      reject(error);
    }
  }

  return {
    add(item) {
      items.push(item);
      const { promise } = outcome;
      if (items.length >= size) flush();
      else if (!isProcessing) timer ??= setTimeout(flush, waitMs);
      return promise;
    },
    flush,
  };
}
