import { sql } from 'kysely';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { anonymiseSource, redactText } from '../../model/opt-outs/redact-names.ts';
import { type Compiler, type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import type { SkippedSource } from './source-state.ts';

/** Who is offline for long looks every few seconds: what is written each time would be news to every reader. */
const LEAST_BETWEEN_MS = 60_000;

/** Keeps which sources were to be read and were not asked, and why. */
export function createSkippedSourceRecorder(
  sqlite: Sqlite,
  db: Compiler,
  optedOut: OptOutSet,
): Store['recordSkippedSources'] {
  const note = prepare(sqlite, (value: Placeholder<SkippedSource>) =>
    db
      .insertInto('skipped_sources')
      .values({ key: value('key'), at: value('at'), why: value('why') })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ at: value('at'), why: value('why') })
          // A clock that was ahead is no reason to be silent.
          .where(sql<boolean>`abs(excluded.at - skipped_sources.at) >= ${sql.lit(LEAST_BETWEEN_MS)}`),
      ),
  );
  return sqlite.transaction((sources: readonly SkippedSource[]) => {
    for (const { key: named, at, why: said } of sources) {
      const { key } = anonymiseSource({ key: named, label: named }, optedOut);
      note.run({ key, at, why: redactText(said, optedOut) });
    }
  }).immediate;
}

/** Keeps which of the sources that were ever read are still read. What they listed stays; see {@link Store.syncActiveSources}. */
export function createActiveSourceSync(sqlite: Sqlite, db: Compiler): Store['syncActiveSources'] {
  const known = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db
      .selectFrom('sources')
      .leftJoin('source_inactive_periods', (join) =>
        join.onRef('source_id', '=', 'sources.id').on('inactive_until', 'is', null),
      )
      .select(['sources.id', 'key', 'inactive_from as inactiveFrom']),
  );
  const leave = prepare(sqlite, (value: Placeholder<{ id: number; at: number }>) =>
    db
      .insertInto('source_inactive_periods')
      .values({ source_id: value('id'), inactive_from: value('at'), inactive_until: null })
      // It left, came back and left within a millisecond, or by a clock that was put back.
      .onConflict((conflict) =>
        conflict.columns(['source_id', 'inactive_from']).doUpdateSet({ inactive_until: sql.lit(null) }),
      ),
  );
  const comeBack = prepare(sqlite, (value: Placeholder<{ id: number; at: number }>) =>
    db
      .updateTable('source_inactive_periods')
      .set({ inactive_until: value('at') })
      .where('source_id', '=', value('id'))
      .where('inactive_until', 'is', null),
  );
  /** Those of which it is not yet noted. */
  const changed = (keys: ReadonlySet<string>) =>
    known.all({}).filter(({ key, inactiveFrom }) => keys.has(key) !== (inactiveFrom === null));
  const note = sqlite.transaction((keys: ReadonlySet<string>, at: number) => {
    for (const { id, inactiveFrom } of changed(keys)) (inactiveFrom === null ? leave : comeBack).run({ id, at });
  });
  return (listed, at) => {
    const keys = new Set(listed);
    // Every pass asks: what is written each time would be news to every reader.
    if (changed(keys).length > 0) note.immediate(keys, at);
  };
}
