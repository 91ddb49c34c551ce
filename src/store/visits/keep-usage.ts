import { COUNTS } from '../../model/facts/fact-leaves.ts';
import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { UsageTable } from '../schema/usage-table.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { placeholders } from '../sqlite/placeholders.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { COUNT_COLUMNS } from './usage-row.ts';

type OfVisit = Pick<UsageTable, 'domain_id' | 'at' | 'visit_id'>;
type Usage = InstanceFacts['usage'];

/** Stores the counts that a visit read; no row when none is known. Runs inside the caller's transaction. */
export type KeepUsage = (visit: OfVisit, usage: Usage) => void;

export function createUsageKeeper(sqlite: Sqlite, db: Compiler): KeepUsage {
  const insert = prepare(sqlite, (value: Placeholder<OfVisit & Omit<Usage, 'asOf'>>) =>
    db.insertInto('usage').values({
      ...placeholders(value, ['domain_id', 'at', 'visit_id']),
      ...Object.fromEntries(COUNTS.map(({ key }) => [COUNT_COLUMNS[key], value(key)])),
    }),
  );
  return (visit, usage) => {
    if (COUNTS.some(({ key }) => usage[key] !== null)) insert.run({ ...visit, ...usage });
  };
}
