import type { ListedInstance, Snapshot } from '../snapshot.ts';

const orders = new WeakMap<Snapshot, readonly ListedInstance[]>();

/**
 * The instances in an order that favours nobody: those that are up before those that are down, both shuffled by the date (UTC) of the
 * snapshot. The same date and domains give the same order.
 */
export function fairOrder(snapshot: Snapshot): readonly ListedInstance[] {
  let order = orders.get(snapshot);
  if (order === undefined) {
    const seed = hashOf(new Date(snapshot.at).toISOString().slice(0, 10), 0);
    order = snapshot.instances
      .map((instance) => ({
        instance,
        statusRank: instance.entry.status === 'down' ? 1 : 0,
        shuffleRank: hashOf(instance.entry.domain, seed),
      }))
      .sort((one, other) => one.statusRank - other.statusRank || one.shuffleRank - other.shuffleRank)
      .map(({ instance }) => instance);
    orders.set(snapshot, order);
  }
  return order;
}

/** FNV-1a with the final mix of MurmurHash3, so that similar names get unrelated numbers. */
export function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
