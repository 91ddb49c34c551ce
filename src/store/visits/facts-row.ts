import { z } from 'zod';
import { REPORTED_LEAVES } from '../../model/facts/fact-leaves.ts';
import { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { KeptFacts } from '../../model/facts/kept-facts.ts';
import type { FactsTable } from '../schema/facts-table.ts';
import { readFactSetText, toFactSetText } from './fact-set-text.ts';

const Usage = InstanceFacts.shape.usage;
const ReadAt = z.record(z.string(), z.number());

/** What has a time of reading when it is known; counts have one together. */
export const leaves: readonly [ageKey: string, of: (facts: InstanceFacts) => unknown][] = [
  ...REPORTED_LEAVES.filter(({ ageKey }) => ageKey !== 'usage').map(({ ageKey, of }): (typeof leaves)[number] => [
    ageKey,
    of,
  ]),
  ['usage', ({ usage }) => usage.asOf],
];

/** A row of `facts` with the text of the set that it refers to. */
export type FactsRow = Omit<FactsTable, 'domain_id' | 'facts_id'> & { facts: string };

/** The columns of {@link FactsRow}, for a query over `facts` joined with `fact_sets`. */
export const factsColumns = ['fact_sets.facts', 'facts.usage', 'facts.checked_at', 'facts.read_at'] as const;

export function toKeptFacts(row: FactsRow): KeptFacts {
  const facts = readFactSetText(row.facts, Usage.parse(JSON.parse(row.usage)));
  const older = ReadAt.parse(JSON.parse(row.read_at));
  const readAt: Record<string, number> = {};
  for (const [path, of] of leaves) if (of(facts) !== null) readAt[path] = older[path] ?? row.checked_at;
  return { facts, readAt, checkedAt: row.checked_at };
}

export function toFactsRow({ facts, readAt, checkedAt }: KeptFacts): FactsRow {
  return {
    facts: toFactSetText(facts),
    usage: JSON.stringify(facts.usage),
    checked_at: checkedAt,
    read_at: JSON.stringify(Object.fromEntries(Object.entries(readAt).filter(([, at]) => at !== checkedAt))),
  };
}
