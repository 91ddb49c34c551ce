/** What waits to be taken, one after the other. */
export interface Waiting<Item> {
  /** Whether there is one to take. */
  has(): boolean;
  take(): Item;
}

/** One of those that share. */
export interface Sharer<Key, Item> {
  readonly key: Key;
  /** Its part of what is given while all wait, at least 1. */
  readonly weight: number;
  readonly waiting: Waiting<Item>;
}

/** The order in which those that have something waiting are served; to be made anew for each call, and itself something that waits. */
export type ShareOut<Key> = <Item>(sharers: readonly Sharer<Key, Item>[]) => Waiting<Item>;

/**
 * Shares places out among those that have something waiting, by weight. Credit is carried over from call to call, so that the shares
 * hold for calls of a single place too; who has nothing waiting saves up none, and what it does not use goes to the others. (Smooth weighted
 * round robin, as nginx balances its upstreams.) Only what is taken is charged, so that one share-out can stand in another.
 */
export function createShareOut<Key>(): ShareOut<Key> {
  const credit = new Map<Key, number>();
  return <Item>(sharers: readonly Sharer<Key, Item>[]) => {
    let open: Sharer<Key, Item>[] | null = null;
    /** Looked at when it is asked for: nothing is read for nobody. */
    const waiting = (): Sharer<Key, Item>[] => {
      if (open !== null) return open;
      open = sharers.filter((sharer) => sharer.waiting.has());
      const keys = new Set(open.map(({ key }) => key));
      for (const key of credit.keys()) if (!keys.has(key)) credit.delete(key);
      return open;
    };
    return {
      has: () => waiting().length > 0,
      take: () => {
        let best: Sharer<Key, Item> | null = null;
        let most = Number.NEGATIVE_INFINITY;
        let total = 0;
        for (const sharer of waiting()) {
          const saved = (credit.get(sharer.key) ?? 0) + sharer.weight;
          credit.set(sharer.key, saved);
          total += sharer.weight;
          if (saved > most) [best, most] = [sharer, saved];
        }
        if (best === null) throw new Error('nothing waits');
        const { key, waiting: queue } = best;
        const item = queue.take();
        if (queue.has()) credit.set(key, most - total);
        else {
          credit.delete(key);
          open = waiting().filter((sharer) => sharer.key !== key);
        }
        return item;
      },
    };
  };
}
