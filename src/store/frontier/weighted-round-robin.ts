/** Answers at most `places` items, in the order in which they are to be served; each queue is served in its own order. */
export type WeightedRoundRobin<Key extends string> = <Item>(
  places: number,
  queues: Readonly<Record<Key, readonly Item[]>>,
) => Item[];

/**
 * Smooth weighted round robin, as nginx balances its upstreams. Credit is carried over between calls, so that the shares hold for calls
 * of a single place too. An empty queue saves up no credit; the others divide its share.
 */
export function createWeightedRoundRobin<Key extends string>(
  weights: Readonly<Record<Key, number>>,
): WeightedRoundRobin<Key> {
  const keys = Object.keys(weights) as Key[];
  const credit = new Map<Key, number>();
  return (places, queues) => {
    const served: (typeof queues)[Key][number][] = [];
    const position = new Map<Key, number>();
    for (const key of keys) if (queues[key].length === 0) credit.delete(key);
    while (served.length < places) {
      let best: Key | null = null;
      let total = 0;
      for (const key of keys) {
        if ((position.get(key) ?? 0) === queues[key].length) continue;
        credit.set(key, (credit.get(key) ?? 0) + weights[key]);
        total += weights[key];
        if (best === null || (credit.get(key) ?? 0) > (credit.get(best) ?? 0)) best = key;
      }
      if (best === null) break;
      const index = position.get(best) ?? 0;
      served.push(queues[best][index] as (typeof served)[number]);
      position.set(best, index + 1);
      credit.set(best, (credit.get(best) ?? 0) - total);
    }
    return served;
  };
}
