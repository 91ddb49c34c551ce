import { nearest } from '../settings.keys.ts';

/** At most three of the known words that may have been meant: those that are part of it or have it as a part, then the one most like it. */
export function nearWords(word: string, known: readonly string[]): string[] {
  const plain = word.toLowerCase();
  const alike = known.filter((name) => plain.length > 2 && (name.includes(plain) || plain.includes(name)));
  const like = nearest(word, known);
  return [...new Set([...(like === null ? [] : [like]), ...alike])].slice(0, 3);
}
