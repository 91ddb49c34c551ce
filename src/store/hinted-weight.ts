import type { TurnYield } from './turn-weights.ts';

/** Hints that all come true go so far before other new domains, which have {@link NEW_WEIGHT}. */
const MOST = 48;
/** Of other new domains: hints that lie are served as often as these, and never less. */
export const NEW_WEIGHT = 4;

/**
 * How often those that a source says to be Loops are served, against other new domains at {@link NEW_WEIGHT}: in proportion to the part of what was
 * said that came true, in the turns that wait and by how often each is served. A source is believed until it was wrong. Pure.
 */
export function hintedWeight(turns: ReadonlyMap<number, number>, yields: readonly TurnYield[]): number {
  const byTurn = new Map(yields.map((found) => [found.turn, found]));
  let served = 0;
  let expected = 0;
  for (const [turn, weight] of turns) {
    const { visited, loops } = byTurn.get(turn) ?? { visited: 0, loops: 0 };
    served += weight;
    expected += weight * Math.min(1, (loops + 1) / (visited + 1));
  }
  return served === 0 ? NEW_WEIGHT : Math.max(NEW_WEIGHT, Math.round((MOST * expected) / served));
}
