import type { Clause } from './clause.ts';

/** Whether a word selects a clause: by its id, the beginning of its id (`config`), its section (`2.5`) or the section above (`2`). */
export function selects(word: string, { id, section }: Pick<Clause, 'id' | 'section'>): boolean {
  return [id, section].some((name) => name === word || name.startsWith(`${word}.`));
}

/** The clauses that any of the words selects; all of them without words. */
export function selectClauses<Row extends Clause>(clauses: readonly Row[], words: readonly string[]): Row[] {
  return clauses.filter((clause) => words.length === 0 || words.some((word) => selects(word, clause)));
}
