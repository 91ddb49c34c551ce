import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import { createCoverage, optOutScopeOf } from '../domain/opt-out-names.ts';
import { unnamedSource } from '../domain/unnamed-source.ts';
import { withholdNamesInText } from '../domain/withhold-names.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** Rows read in one statement. */
const CHUNK = 1_000;

const SAID = ['why', 'etag', 'last_modified'] as const;

/**
 * Erases what sources and their runs say of some domains: the name of a source that is, or is read from, one of them, and what runs tell
 * in words or were sent. Such a source stays under a name that says nothing, since memberships are by its number.
 */
export function createSourceEraser(sqlite: Sqlite, db: Compiler): (domains: readonly Domain[]) => void {
  const sources = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db.selectFrom('sources').select(['id', 'key', 'label']),
  );
  const byKey = prepare(sqlite, (value: Placeholder<{ key: string }>) =>
    db.selectFrom('sources').select('id').where('key', '=', value('key')),
  );
  const unname = prepare(sqlite, (value: Placeholder<{ id: number; name: string }>) =>
    db
      .updateTable('sources')
      .set({ key: value('name'), label: value('name') })
      .where('id', '=', value('id')),
  );
  const runs = prepare(sqlite, (value: Placeholder<{ from: number }>) =>
    db
      .selectFrom('source_runs')
      .select(['id', ...SAID])
      .where('id', '>', value('from'))
      .orderBy('id')
      .limit(sql.lit(CHUNK)),
  );
  const silence = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.updateTable('source_runs').set({ why: null, etag: null, last_modified: null }).where('id', '=', value('id')),
  );

  const unasked = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db.selectFrom('unasked_sources').select(['key', 'why']),
  );
  const drop = prepare(sqlite, (value: Placeholder<{ key: string }>) =>
    db.deleteFrom('unasked_sources').where('key', '=', value('key')),
  );

  return (forgotten) => {
    const isForgotten = createCoverage(forgotten);
    const optedOutAmong = (names: readonly string[]) => names.filter(isForgotten);
    const isNamedIn = (text: string) => withholdNamesInText(text, optedOutAmong) !== text;
    const parts = forgotten.map((name) => optOutScopeOf(name).bare);
    // Of what strangers sent, rather too much than too little.
    const isPartOf = (text: string | null) => text !== null && parts.some((part) => text.toLowerCase().includes(part));
    for (const source of sources.all({})) {
      const { key } = unnamedSource(source, optedOutAmong);
      if (key === source.key) continue;
      // Read anew meanwhile, it has a row of that name already.
      const name = byKey.get({ key }) === undefined ? key : `${key} ${source.id}`;
      unname.run({ id: source.id, name });
    }
    for (const { key, why } of unasked.all({})) if (isNamedIn(key) || isPartOf(why)) drop.run({ key });
    for (let from = 0, rows = runs.all({ from }); rows.length > 0; rows = runs.all({ from })) {
      for (const row of rows) {
        from = row.id;
        if (SAID.some((column) => isPartOf(row[column]))) silence.run({ id: row.id });
      }
    }
  };
}
