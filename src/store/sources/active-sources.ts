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
    db
      .selectFrom('sources')
      .leftJoin('source_inactive_periods', (join) =>
        join.onRef('source_id', '=', 'sources.id').on('inactive_until', 'is', null),
      )
      .select(['sources.id', 'key', 'inactive_from as inactiveFrom']),
  );
  const deactivate = prepare(sqlite, (parameter: QueryParameter<{ id: number; at: number }>) =>
    db
      .insertInto('source_inactive_periods')
      .values({ source_id: parameter('id'), inactive_from: parameter('at'), inactive_until: null })
      // A conflict: the source was deactivated twice in one millisecond, or the clock was set back.
      .onConflict((conflict) =>
        conflict.columns(['source_id', 'inactive_from']).doUpdateSet({ inactive_until: sql.lit(null) }),
      ),
  );
  const reactivate = prepare(sqlite, (parameter: QueryParameter<{ id: number; at: number }>) =>
    db
      .updateTable('source_inactive_periods')
      .set({ inactive_until: parameter('at') })
      .where('source_id', '=', parameter('id'))
      .where('inactive_until', 'is', null),
  );
  const findChanged = (keys: ReadonlySet<string>) =>
    findSources.all({}).filter(({ key, inactiveFrom }) => keys.has(key) !== (inactiveFrom === null));
  const sync = sqlite.transaction((keys: ReadonlySet<string>, at: number) => {
    for (const { id, inactiveFrom } of findChanged(keys)) {
      (inactiveFrom === null ? deactivate : reactivate).run({ id, at });
    }
  });
  return (active, at) => {
    const keys = new Set(active);
    // Checked first, because every write invalidates the caches of readers.
    if (findChanged(keys).length > 0) sync.immediate(keys, at);
  };
}
