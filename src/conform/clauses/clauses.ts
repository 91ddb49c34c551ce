import { bySection, type Clause, type ServerClause } from './clause.ts';
import { ENDPOINT_RULES } from './endpoint-rules.ts';
import { OAUTH_RULES } from './oauth-rules.ts';
import { FIELD_CLAUSES } from './resource-fields.ts';
import { RESOURCE_RULES } from './resource-rules.ts';
import { TOKEN_RULES } from './token-rules.ts';

/** Every clause about servers, in the order of the specification. */
export const SERVER_CLAUSES: readonly ServerClause[] = [
  ...FIELD_CLAUSES,
  ...RESOURCE_RULES,
  ...ENDPOINT_RULES,
  ...OAUTH_RULES,
  ...TOKEN_RULES,
].sort(bySection);

/** Whether a word selects a clause: by its id, the beginning of its id (`config`), its section (`2.5`) or the section above (`2`). */
export function selects(word: string, { id, section }: Pick<Clause, 'id' | 'section'>): boolean {
  return [id, section].some((name) => name === word || name.startsWith(`${word}.`));
}

/** The clauses that any of the words selects; all of them without words. */
export function selectClauses<Row extends Clause>(clauses: readonly Row[], words: readonly string[]): Row[] {
  return clauses.filter((clause) => words.length === 0 || words.some((word) => selects(word, clause)));
}
