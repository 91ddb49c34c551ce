import { kinds } from './kinds.ts';

/** The names of the kinds that a word is likely to stand for, the likeliest first. */
export function nearestKinds(word: string): string[] {
  return kinds
    .map(({ name }) => ({ name, distance: distanceOf(word, name) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** How many characters must be put in, left out or replaced to make one word of the other (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (character === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
