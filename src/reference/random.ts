/** Numbers from 0 up to but not including 1, the same sequence for the same seed. Not for secrets. */
export type Random = () => number;

/** A seeded generator (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An integer from `min` to `max`, both included. */
export function randomInteger(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

/** Shuffles a list in place (Fisher-Yates). */
export function shuffle<T>(random: Random, items: T[]): T[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const swap = randomInteger(random, 0, last);
    [items[last], items[swap]] = [items[swap] as T, items[last] as T];
  }
  return items;
}
