/** Returns a generator of pseudo-random numbers in [0, 1), determined by the seed (mulberry32). */
export function createDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws one of the values; all are equally likely. */
export function pick<T>(draw: () => number, values: readonly [T, ...T[]]): T {
  return values[Math.floor(draw() * values.length)] ?? values[0];
}
