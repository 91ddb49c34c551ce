import { sql } from 'kysely';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

const DAY_MS = 86_400_000;

interface DomainRange {
  from: number;
  to: number;
  before: number;
}

/**
 * Of the counts read on each whole day (UTC) before a time, keeps the last. Answers how many went. Runs inside the caller's transaction.
 */
export function createUsageThinner(sqlite: Sqlite, db: Compiler): (range: DomainRange) => { usage: number } {
  const thin = prepare(sqlite, (value: Placeholder<DomainRange>) => {
    const before = value('before');
    return db
      .deleteFrom('usage')
      .where('domain_id', '>', value('from'))
      .where('domain_id', '<=', value('to'))
      .where('at', '<', before)
      .where(sql<boolean>`exists (
        select 1 from usage as later
        where later.domain_id = usage.domain_id
          and (later.at, later.visit_id) > (usage.at, usage.visit_id)
          and later.at < usage.at - usage.at % ${sql.lit(DAY_MS)} + ${sql.lit(DAY_MS)}
      )`);
  });
  return (range) => ({ usage: thin.run({ ...range, before: range.before - (range.before % DAY_MS) }) });
}
