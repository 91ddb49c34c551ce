import { z } from 'zod';
import { REPORTED_LEAVES } from '../../model/facts/fact-leaves.ts';
import { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { KnownFacts } from '../../model/facts/known-facts.ts';
import { withUnknowns } from '../../model/facts/with-unknowns.ts';
import type { FactsTable } from '../schema/tables.ts';

const FactSet = InstanceFacts.omit({ usage: true });

/** Facts without usage counts, as JSON. The keys always have the same order, so equal facts give equal texts. */
export function toFactSetText({ usage: _, ...facts }: InstanceFacts): string {
  return JSON.stringify(facts);
}

/** Parses the result of {@link toFactSetText}, also of a version with fewer facts, and adds the usage counts; throws for any other text. */
export function readFactSetText(text: string, usage: InstanceFacts['usage']): InstanceFacts {
  return { ...FactSet.parse(withUnknowns(FactSet, JSON.parse(text))), usage };
}

const Usage = InstanceFacts.shape.usage;
const ReadAt = z.record(z.string(), z.number());

/** Each fact that has a read time, and the key of that time in `KnownFacts.readAt`; all usage counts share one key. */
export const agedFacts: readonly [ageKey: string, get: (facts: InstanceFacts) => unknown][] = [
  ...REPORTED_LEAVES.filter(({ ageKey }) => ageKey !== 'usage').map(({ ageKey, get }): (typeof agedFacts)[number] => [
    ageKey,
    get,
  ]),
  ['usage', ({ usage }) => usage.asOf],
];

/** A row of `facts` with the text of its fact set. */
export type FactsRow = Omit<FactsTable, 'domain_id' | 'facts_id'> & { facts: string };

/** The columns of {@link FactsRow}, for a query over `facts` joined with `fact_sets`. */
export const factsColumns = ['fact_sets.facts', 'facts.usage', 'facts.checked_at', 'facts.read_at'] as const;

export function toKnownFacts(row: FactsRow): KnownFacts {
  const facts = readFactSetText(row.facts, Usage.parse(JSON.parse(row.usage)));
  const olderReadAt = ReadAt.parse(JSON.parse(row.read_at));
  const readAt: Record<string, number> = {};
  for (const [key, get] of agedFacts) if (get(facts) !== null) readAt[key] = olderReadAt[key] ?? row.checked_at;
  return { facts, readAt, checkedAt: row.checked_at };
}

export function toFactsRow({ facts, readAt, checkedAt }: KnownFacts): FactsRow {
  return {
    facts: toFactSetText(facts),
    usage: JSON.stringify(facts.usage),
    checked_at: checkedAt,
    read_at: JSON.stringify(Object.fromEntries(Object.entries(readAt).filter(([, at]) => at !== checkedAt))),
  };
}
