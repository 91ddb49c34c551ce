import { sql } from 'kysely';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { UnaskedSource } from './source-state.ts';
import type { Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';

/** Who is offline for long looks every few seconds: what is written each time would be news to every reader. */
const LEAST_BETWEEN_MS = 60_000;

/** Keeps which sources were to be read and were not asked, and why. */
export function createUnaskedNoter(sqlite: Sqlite, db: Compiler): Store['noteUnasked'] {
  const note = prepare(sqlite, (value: Placeholder<UnaskedSource>) =>
    db
      .insertInto('unasked_sources')
      .values({ key: value('key'), at: value('at'), why: value('why') })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ at: value('at'), why: value('why') })
          // A clock that was ahead is no reason to be silent.
          .where(sql<boolean>`abs(excluded.at - unasked_sources.at) >= ${sql.lit(LEAST_BETWEEN_MS)}`),
      ),
  );
  return sqlite.transaction((sources: readonly UnaskedSource[]) => {
    for (const { key, at, why } of sources) note.run({ key, at, why });
  }).immediate;
}
