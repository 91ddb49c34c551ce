/** What the first visits of the domains of a turn came to. */
export interface TurnYield {
  readonly turn: number;
  readonly visited: number;
  readonly loops: number;
}

/** The best source is served so many times as often as one that brings nothing. */
const MOST = 16;
/** A source is taken to be like all others until so many of its domains were visited, and half so after as many. */
const TRIAL = 50;

/**
 * How often each turn is served, from 1 to 16: in proportion to the part of its domains that were found to be Loops, the best of those
 * that wait at 16. A new source begins as all together are. Pure.
 */
export function turnWeights(turns: readonly number[], yields: readonly TurnYield[]): Map<number, number> {
  const total = yields.reduce(
    (sum, { visited, loops }) => ({ visited: sum.visited + visited, loops: sum.loops + loops }),
    { visited: 0, loops: 0 },
  );
  const mean = total.visited === 0 ? 0 : total.loops / total.visited;
  const byTurn = new Map(yields.map((found) => [found.turn, found]));
  const parts = turns.map((turn) => {
    const { visited, loops } = byTurn.get(turn) ?? { visited: 0, loops: 0 };
    return (loops + TRIAL * mean) / (visited + TRIAL);
  });
  const best = parts.reduce((most, part) => Math.max(most, part), 0);
  return new Map(
    turns.map((turn, index) => [turn, best === 0 ? 1 : Math.max(1, Math.round((MOST * (parts[index] ?? 0)) / best))]),
  );
}
