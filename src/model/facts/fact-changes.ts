import { isDeepStrictEqual } from 'node:util';
import type { FactChange } from '../change.ts';
import { FACT_LEAVES } from './fact-leaves.ts';
import type { FactValue } from './fact-value.ts';
import type { InstanceFacts } from './instance-facts.ts';

/** The facts whose changes are recorded. Software and version are excluded: they are compared for every domain, whatever its software. */
const RECORDED = FACT_LEAVES.flatMap(({ path, meta: { history }, get }) => {
  if (history === undefined) return [];
  const sorted = (value: FactValue) => (Array.isArray(value) ? [...value].sort() : value);
  return [{ field: path, get: history === 'set' ? (facts: InstanceFacts) => sorted(get(facts)) : get }];
});

/**
 * Compares the facts of an instance, in the order of the table. Lists are equal when they have the same values in the same order; flags
 * when they are the same set. A fact that becomes known or unknown changes from or to null.
 *
 * @param before null when nothing was read before; then there are no changes.
 */
export function findFactChanges(before: InstanceFacts | null, after: InstanceFacts): FactChange[] {
  if (before === null) return [];
  const changes: FactChange[] = [];
  for (const { field, get } of RECORDED) {
    const from = get(before);
    const to = get(after);
    if (from === to || isDeepStrictEqual(from, to)) continue;
    changes.push({ field, from, to, why: null });
  }
  return changes;
}
