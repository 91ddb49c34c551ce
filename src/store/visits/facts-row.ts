import { z } from 'zod';
import { REPORTED_LEAVES } from '../../model/facts/fact-leaves.ts';
import { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { KnownFacts } from '../../model/facts/known-facts.ts';
import type { FactsTable } from '../schema/database.ts';
import { type Compiler, type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

const FactSet = InstanceFacts.omit({ usage: true });

/** Facts without their counts, as JSON. Facts are put together in the order of the table, so that equal ones give equal texts. */
export function toFactSetText({ usage: _, ...facts }: InstanceFacts): string {
  return JSON.stringify(facts);
}

/** Reads what {@link toFactSetText} wrote; throws when it is anything else. */
export function readFactSetText(text: string, usage: InstanceFacts['usage']): InstanceFacts {
  return { ...FactSet.parse(JSON.parse(text)), usage };
}

const Usage = InstanceFacts.shape.usage;
const ReadAt = z.record(z.string(), z.number());

/** What has a time of reading when it is known; counts have one together. */
export const leaves: readonly [ageKey: string, get: (facts: InstanceFacts) => unknown][] = [
  ...REPORTED_LEAVES.filter(({ ageKey }) => ageKey !== 'usage').map(({ ageKey, get }): (typeof leaves)[number] => [
    ageKey,
    get,
  ]),
  ['usage', ({ usage }) => usage.asOf],
];

/** A row of `facts` with the text of the set that it refers to. */
export type FactsRow = Omit<FactsTable, 'domain_id' | 'facts_id'> & { facts: string };

/** The columns of {@link FactsRow}, for a query over `facts` joined with `fact_sets`. */
export const factsColumns = ['fact_sets.facts', 'facts.usage', 'facts.checked_at', 'facts.read_at'] as const;

export function toKeptFacts(row: FactsRow): KnownFacts {
  const facts = readFactSetText(row.facts, Usage.parse(JSON.parse(row.usage)));
  const older = ReadAt.parse(JSON.parse(row.read_at));
  const readAt: Record<string, number> = {};
  for (const [path, of] of leaves) if (of(facts) !== null) readAt[path] = older[path] ?? row.checked_at;
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

/** Stores the text of a set of facts unless it is there already; answers its id. Runs inside the caller's transaction. */
type KeepFactSet = (text: string) => number;

export function createFactSetKeeper(sqlite: Sqlite, db: Compiler): KeepFactSet {
  const find = prepare(sqlite, (value: Placeholder<{ facts: string }>) =>
    db.selectFrom('fact_sets').select('id').where('facts', '=', value('facts')),
  );
  const insert = prepare(sqlite, (value: Placeholder<{ facts: string }>) =>
    db
      .insertInto('fact_sets')
      .values({ facts: value('facts') })
      .returning('id'),
  );
  return (facts) => {
    const kept = find.get({ facts }) ?? insert.get({ facts });
    if (kept === undefined) throw new Error('SQLite returned no id for a set of facts that it inserted');
    return kept.id;
  };
}
