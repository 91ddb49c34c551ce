import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** Stores the text of a set of facts unless it is there already; answers its id. Runs inside the caller's transaction. */
export type KeepFactSet = (text: string) => number;

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
