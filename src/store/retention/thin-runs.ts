import { sql } from 'kysely';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** Runs with ids above `from`, up to `to`, that began before `before` (epoch milliseconds). */
export interface RunRange {
  from: number;
  to: number;
  before: number;
}

/**
 * Deletes old runs of sources. Of each source the last that is too old stays, and so do the last that succeeded and the last that was
 * complete: they say how it stood when what is kept begins. Runs inside the caller's transaction.
 */
export function createRunThinner(sqlite: Sqlite, db: Compiler): (range: RunRange) => void {
  const thin = prepare(sqlite, (value: Placeholder<RunRange>) =>
    db
      .deleteFrom('source_runs')
      .where('id', '>', value('from'))
      .where('id', '<=', value('to'))
      .where('begun_at', '<', value('before'))
      .where('outcome', 'is not', null)
      .where(
        sql<boolean>`exists (
          select 1 from source_runs as later
          where later.source_id = source_runs.source_id and later.id > source_runs.id and later.begun_at < ${value('before')}
            and case source_runs.outcome
              when 'complete' then later.outcome = 'complete'
              when 'unchanged' then later.outcome in ('complete', 'unchanged')
              else later.outcome is not null
            end
        )`,
      ),
  );
  return (range) => {
    thin.run(range);
  };
}
