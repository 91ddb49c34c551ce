import { sql } from 'kysely';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { isSourceOptedOut } from '../opt-outs/opted-out.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import type { SkippedSource } from './source-state.ts';

/**
 * Minimum time between two records of the same skipped source. While offline, sources are checked every few seconds, and every write
 * invalidates the caches of readers.
 */
const MIN_INTERVAL_MS = 60_000;

export function createSkippedSourceRecorder(
  sqlite: Sqlite,
  db: Compiler,
  optedOut: OptOutSet,
): Store['recordSkippedSources'] {
  const upsert = prepare(sqlite, (parameter: QueryParameter<SkippedSource>) =>
    db
      .insertInto('skipped_sources')
      .values({ key: parameter('key'), at: parameter('at'), why: parameter('why') })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ at: parameter('at'), why: parameter('why') })
          // abs: a clock that was ahead must not suppress later records.
          .where(sql<boolean>`abs(excluded.at - skipped_sources.at) >= ${sql.lit(MIN_INTERVAL_MS)}`),
      ),
  );
  return sqlite.transaction((sources: readonly SkippedSource[]) => {
    for (const source of sources) if (!isSourceOptedOut(source.key, optedOut)) upsert.run(source);
  }).immediate;
}

export function createActiveSourceSync(sqlite: Sqlite, db: Compiler): Store['syncActiveSources'] {
  const findSources = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('sources').select(['id', 'key', 'inactive']),
  );
  const setInactive = prepare(sqlite, (parameter: QueryParameter<{ id: number; inactive: number }>) =>
    db
      .updateTable('sources')
      .set({ inactive: parameter('inactive') })
      .where('id', '=', parameter('id')),
  );
  const findChanged = (keys: ReadonlySet<string>) =>
    findSources.all({}).filter(({ key, inactive }) => keys.has(key) === (inactive === 1));
  const sync = sqlite.transaction((keys: ReadonlySet<string>) => {
    for (const { id, inactive } of findChanged(keys)) setInactive.run({ id, inactive: 1 - inactive });
  });
  return (active) => {
    const keys = new Set(active);
    // Checked first, because every write invalidates the caches of readers.
    if (findChanged(keys).length > 0) sync.immediate(keys);
  };
}
