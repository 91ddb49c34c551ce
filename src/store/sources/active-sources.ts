import { sql } from 'kysely';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { anonymiseSource, redactText } from '../../model/opt-outs/redact-names.ts';
import { type Compiler, type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import type { UnaskedSource } from './source-state.ts';

/** Who is offline for long looks every few seconds: what is written each time would be news to every reader. */
const LEAST_BETWEEN_MS = 60_000;

/** Keeps which sources were to be read and were not asked, and why. */
export function createUnaskedNoter(sqlite: Sqlite, db: Compiler, optedOut: OptOutSet): Store['noteUnasked'] {
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
    for (const { key: named, at, why: said } of sources) {
      const { key } = anonymiseSource({ key: named, label: named }, optedOut);
      note.run({ key, at, why: redactText(said, optedOut) });
    }
  }).immediate;
}

/** Keeps which of the sources that were ever read are still read. What they listed stays; see {@link Store.noteSourcesInForce}. */
export function createInForceNoter(sqlite: Sqlite, db: Compiler): Store['noteSourcesInForce'] {
  const known = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db
      .selectFrom('sources')
      .leftJoin('source_absences', (join) => join.onRef('source_id', '=', 'sources.id').on('back_at', 'is', null))
      .select(['sources.id', 'key', 'left_at as leftAt']),
  );
  const leave = prepare(sqlite, (value: Placeholder<{ id: number; at: number }>) =>
    db
      .insertInto('source_absences')
      .values({ source_id: value('id'), left_at: value('at'), back_at: null })
      // It left, came back and left within a millisecond, or by a clock that was put back.
      .onConflict((conflict) => conflict.columns(['source_id', 'left_at']).doUpdateSet({ back_at: sql.lit(null) })),
  );
  const comeBack = prepare(sqlite, (value: Placeholder<{ id: number; at: number }>) =>
    db
      .updateTable('source_absences')
      .set({ back_at: value('at') })
      .where('source_id', '=', value('id'))
      .where('back_at', 'is', null),
  );
  /** Those of which it is not yet noted. */
  const changed = (keys: ReadonlySet<string>) =>
    known.all({}).filter(({ key, leftAt }) => keys.has(key) !== (leftAt === null));
  const note = sqlite.transaction((keys: ReadonlySet<string>, at: number) => {
    for (const { id, leftAt } of changed(keys)) (leftAt === null ? leave : comeBack).run({ id, at });
  });
  return (listed, at) => {
    const keys = new Set(listed);
    // Every pass asks: what is written each time would be news to every reader.
    if (changed(keys).length > 0) note.immediate(keys, at);
  };
}
