import { AREAS, type Rule } from './rule.ts';

/** `only` or `skip` names what there is not; the message says which, and what it can be. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError';
  readonly kind = 'setting';
}

/** Rules by their ids or areas. */
export interface Selection {
  /** None: all. */
  only?: readonly string[] | undefined;
  skip?: readonly string[] | undefined;
}

/** @throws {SelectionError} */
export function selectRules(rules: readonly Rule[], { only = [], skip = [] }: Selection): readonly Rule[] {
  const known = new Set<string>([...AREAS, ...rules.map(({ id }) => id)]);
  const unknown = [...new Set([...only, ...skip].filter((word) => !known.has(word)))];
  if (unknown.length > 0) {
    const named = unknown.map((word) => JSON.stringify(word)).join(', ');
    throw new SelectionError(
      `there is no rule and no area ${named}; the areas are ${AREAS.join(', ')}, and every finding has the id of its rule`,
    );
  }
  const isNamed = ({ id, area }: Rule, words: readonly string[]) => words.includes(id) || words.includes(area);
  return rules.filter((rule) => (only.length === 0 || isNamed(rule, only)) && !isNamed(rule, skip));
}
