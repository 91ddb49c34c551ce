import { sql } from 'kysely';
import { type Compiler, createIteration, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { ReadScope } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';
import { createYieldCounter } from './count-source-yields.ts';
import { type RunRow, runColumns, toSourceRun } from './source-run-row.ts';
import type { SourceState } from './source-state.ts';

type Nothing = Record<never, never>;
export type SourceReader = Pick<StoreReader, 'sourceStates' | 'sourceYields' | 'sourceRuns' | 'skippedSources'>;

/** Reads the sources, their runs and their yields. */
export function createSourceReader(sqlite: Sqlite, db: Compiler, { read, stream }: ReadScope): SourceReader {
  const sources = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db.selectFrom('sources').select(['id', 'key', 'type', 'label', 'first_at', 'not_before']).orderBy('id'),
  );
  const lastOf = (outcomes: 'any' | readonly ('complete' | 'unchanged')[]) =>
    prepare(sqlite, (parameter: QueryParameter<{ source: number }>) => {
      const runs = db
        .selectFrom('source_runs')
        .select(runColumns)
        .where('source_id', '=', parameter('source'))
        .orderBy('id', 'desc')
        .limit(sql.lit(1));
      return outcomes === 'any'
        ? runs
        : runs.where(
            'outcome',
            'in',
            outcomes.map((outcome) => sql.lit(outcome)),
          );
    });
  const last = lastOf('any');
  const lastSuccess = lastOf(['complete', 'unchanged']);
  const lastComplete = lastOf(['complete']);
  const runsOf = createIteration(() =>
    prepare(sqlite, (parameter: QueryParameter<{ key: string }>) =>
      db
        .selectFrom('source_runs')
        .select(runColumns)
        .where('source_id', '=', (row) => row.selectFrom('sources').select('id').where('key', '=', parameter('key')))
        .orderBy('id', 'desc'),
    ),
  );
  const skipped = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db.selectFrom('skipped_sources').select(['key', 'at', 'why']).orderBy('key'),
  );
  const yields = createYieldCounter(sqlite, db);

  const toRunOrNull = (row: RunRow | undefined) => (row === undefined ? null : toSourceRun(row));
  const states = (): SourceState[] =>
    sources.all({}).map(({ id, key, type, label, first_at, not_before }) => {
      const success = lastSuccess.get({ source: id });
      const isFullyEntered = success !== undefined && success.queue_full === 0;
      return {
        id,
        key,
        type,
        label,
        firstAt: first_at,
        notBefore: not_before,
        lastRun: toRunOrNull(last.get({ source: id })),
        lastSuccess: toRunOrNull(success),
        lastComplete: toRunOrNull(lastComplete.get({ source: id })),
        etag: isFullyEntered ? success.etag : null,
        lastModified: isFullyEntered ? success.last_modified : null,
      };
    });
  return {
    sourceStates: () => read(states),
    sourceYields: () =>
      read(() => {
        const yieldOf = yields();
        return states().map((state) => ({ ...state, ...yieldOf(state.id) }));
      }),
    sourceRuns: (key) => stream(() => runsOf({ key }), toSourceRun),
    skippedSources: () => read(() => skipped.all({})),
  };
}
