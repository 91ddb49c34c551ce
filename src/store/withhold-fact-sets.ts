import { sql } from 'kysely';
import type { Withholding } from '../domain/withhold-names.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** Rows read in one statement. */
const CHUNK = 500;

const PLACES = [
  ['visits', 'facts_id'],
  ['visits', 'kept_facts_id'],
  ['facts', 'facts_id'],
] as const;

/** Puts away the names of those who have opted out from every set of facts; as is done with documents. */
export function createFactSetWithholder(sqlite: Sqlite, db: Compiler): (withholding: Withholding) => void {
  const some = prepare(sqlite, (value: Placeholder<{ from: number }>) =>
    db
      .selectFrom('fact_sets')
      .select(['id', 'facts'])
      .where('id', '>', value('from'))
      .orderBy('id')
      .limit(sql.lit(CHUNK)),
  );
  const find = prepare(sqlite, (value: Placeholder<{ facts: string }>) =>
    db.selectFrom('fact_sets').select('id').where('facts', '=', value('facts')),
  );
  const replace = prepare(sqlite, (value: Placeholder<{ id: number; facts: string }>) =>
    db
      .updateTable('fact_sets')
      .set({ facts: value('facts') })
      .where('id', '=', value('id')),
  );
  const remove = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.deleteFrom('fact_sets').where('id', '=', value('id')),
  );
  const refer = PLACES.map(([table, column]) =>
    prepare(sqlite, (value: Placeholder<{ from: number; to: number }>) =>
      db
        .updateTable(table as 'visits')
        .set({ [column]: value('to') })
        .where(column as 'facts_id', '=', value('from'))
        // A partial index over what is not null is used only when the query says so.
        .where(column as 'facts_id', 'is not', null),
    ),
  );
  const move = sqlite.transaction((id: number, before: string, after: string) => {
    // What was read may have gone meanwhile, and its number be another's.
    if (find.get({ facts: before })?.id !== id) return;
    const same = find.get({ facts: after })?.id;
    if (same === undefined) replace.run({ id, facts: after });
    else {
      for (const each of refer) each.run({ from: id, to: same });
      remove.run({ id });
    }
  });

  return ({ inText }) => {
    for (let from = 0, rows = some.all({ from }); rows.length > 0; rows = some.all({ from })) {
      for (const { id, facts } of rows) {
        from = id;
        const told = inText(facts);
        if (told !== facts) move.immediate(id, facts, told);
      }
    }
  };
}
