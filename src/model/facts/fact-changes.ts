import { isDeepStrictEqual } from 'node:util';
import type { FactChange } from '../change.ts';
import { FACT_LEAVES } from './fact-leaves.ts';
import type { FactValue } from './fact-value.ts';
import type { InstanceFacts } from './instance-facts.ts';

/** The facts whose changes are recorded here; software and version are facts of the domain. */
const RECORDED = FACT_LEAVES.flatMap(({ path, meta: { history }, of }) => {
  if (history === undefined) return [];
  const sorted = (value: FactValue) => (Array.isArray(value) ? [...value].sort() : value);
  return [{ field: path, of: history === 'set' ? (facts: InstanceFacts) => sorted(of(facts)) : of }];
});

/**
 * The facts of an instance that are not what they were, in the order of their fields. Lists are equal when they have the same
 * values in the same order; flags, when they are the same set. What becomes known or unknown has changed too, from or to null.
 *
 * @param before null when nothing was ever read: then nothing has changed.
 */
export function factChanges(before: InstanceFacts | null, after: InstanceFacts): FactChange[] {
  if (before === null) return [];
  const changes: FactChange[] = [];
  for (const { field, of } of RECORDED) {
    const from = of(before);
    const to = of(after);
    if (from === to || isDeepStrictEqual(from, to)) continue;
    changes.push({ field, from, to, why: null });
  }
  return changes;
}
