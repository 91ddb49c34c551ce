import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { UsageTable } from '../schema/usage-table.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { placeholders } from '../sqlite/placeholders.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { countColumns, toCounts } from './usage-row.ts';

type OfVisit = Pick<UsageTable, 'domain_id' | 'at' | 'visit_id'>;

/** Keeps the counts that a visit read, if it read any. Runs inside the caller's transaction. */
export type KeepUsage = (visit: OfVisit, usage: InstanceFacts['usage']) => void;

export function createUsageKeeper(sqlite: Sqlite, db: Compiler): KeepUsage {
  const insert = prepare(sqlite, (value: Placeholder<UsageTable>) =>
    db.insertInto('usage').values(placeholders(value, ['domain_id', 'at', 'visit_id', ...countColumns])),
  );
  return (visit, usage) => {
    const counts = toCounts(usage);
    if (counts !== null) insert.run({ ...visit, ...counts });
  };
}
