import { sql } from 'kysely';
import { namesOptedOutHost, type OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import type { EntryCounts } from '../frontier/candidate.ts';
import { isSourceOptedOut } from '../opt-outs/opted-out.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { UNENDED_WHY } from './source-run-row.ts';
import type { RunEnd, SourceIdentity } from './source-state.ts';

/** The run is not in progress. */
export class RunOverError extends Error {
  override readonly name = 'RunOverError';

  constructor(run: number) {
    super(`source run ${run} is not in progress`);
  }
}

export interface RunStore extends Pick<Store, 'beginRun' | 'endRun'> {
  /**
   * The id of the source of a run.
   *
   * @throws {RunOverError} when the run is not in progress.
   */
  sourceOf(run: number): number;
  /** Adds counts to those of a run. Runs inside the caller's transaction. */
  count(run: number, counts: EntryCounts): void;
  /** Marks the runs that never ended as broken. */
  breakUnended(at: number): void;
}

/** Stores the runs of sources. */
export function createRunStore(sqlite: Sqlite, db: Compiler, optedOut: OptOutSet): RunStore {
  const upsertSource = prepare(sqlite, (parameter: QueryParameter<SourceIdentity & { at: number }>) =>
    db
      .insertInto('sources')
      .values({ key: parameter('key'), type: parameter('type'), label: parameter('label'), first_at: parameter('at') })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ type: parameter('type'), label: parameter('label') }),
      )
      .returning('id'),
  );
  const insert = prepare(sqlite, (parameter: QueryParameter<{ source: number; at: number }>) =>
    db
      .insertInto('source_runs')
      .values({ source_id: parameter('source'), begun_at: parameter('at') })
      .returning('id'),
  );
  const findInProgress = prepare(sqlite, (parameter: QueryParameter<{ run: number }>) =>
    db
      .selectFrom('source_runs')
      .select('source_id as source')
      .where('id', '=', parameter('run'))
      .where('outcome', 'is', null),
  );
  const breakUnended = prepare(sqlite, (parameter: QueryParameter<{ at: number }>) =>
    db
      .updateTable('source_runs')
      .set({ outcome: sql.lit('broken' as const), why: sql.lit(UNENDED_WHY), ended_at: parameter('at') })
      .where('outcome', 'is', null),
  );
  const setNotBefore = prepare(sqlite, (parameter: QueryParameter<{ source: number; notBefore: number | null }>) =>
    db
      .updateTable('sources')
      .set({ not_before: parameter('notBefore') })
      .where('id', '=', parameter('source')),
  );
  const deleteSkipped = prepare(sqlite, (parameter: QueryParameter<{ key: string }>) =>
    db.deleteFrom('skipped_sources').where('key', '=', parameter('key')),
  );
  const addCounts = prepare(sqlite, (parameter: QueryParameter<EntryCounts & { run: number }>) =>
    db
      .updateTable('source_runs')
      .set((row) => ({
        entered: row('entered', '+', parameter('entered')),
        known: row('known', '+', parameter('known')),
        queue_full: row('queue_full', '+', parameter('queueFull')),
        capped_by_domain: row('capped_by_domain', '+', parameter('cappedByDomain')),
        opted_out: row('opted_out', '+', parameter('optedOut')),
      }))
      .where('id', '=', parameter('run')),
  );
  type EndedRun = Omit<RunEnd, 'refusedByReason' | 'notBefore'> & {
    reasons: string;
    run: number;
    at: number;
  };
  const finish = prepare(sqlite, (parameter: QueryParameter<EndedRun>) =>
    db
      .updateTable('source_runs')
      .set({
        outcome: parameter('outcome'),
        ended_at: parameter('at'),
        why: parameter('why'),
        etag: parameter('etag'),
        last_modified: parameter('lastModified'),
        requests: parameter('requests'),
        bytes: parameter('bytes'),
        lines: parameter('lines'),
        merged: parameter('merged'),
        refused: parameter('refused'),
        refused_by_reason: parameter('reasons'),
      })
      .where('id', '=', parameter('run'))
      .where('outcome', 'is', null),
  );

  const begin = sqlite.transaction((source: SourceIdentity, at: number): number | null => {
    if (isSourceOptedOut(`${source.key} ${source.label}`, optedOut)) return null;
    const id = upsertSource.get({ ...source, at })?.id;
    if (id === undefined) throw new Error('SQLite returned no id for a source');
    deleteSkipped.run({ key: source.key });
    const run = insert.get({ source: id, at })?.id;
    if (run === undefined) throw new Error('SQLite returned no id for a run that it inserted');
    return run;
  });
  const sourceOf = (run: number): number => {
    const source = findInProgress.get({ run })?.source;
    if (source === undefined) throw new RunOverError(run);
    return source;
  };
  const end = sqlite.transaction((run: number, { refusedByReason, notBefore = null, ...rest }: RunEnd, at: number) => {
    setNotBefore.run({ source: sourceOf(run), notBefore });
    const why = rest.why !== null && namesOptedOutHost(rest.why, optedOut) ? null : rest.why;
    finish.run({ ...rest, why, reasons: JSON.stringify(refusedByReason), run, at });
  });
  return {
    beginRun: ({ key, type, label }, at) => begin.immediate({ key, type, label }, at),
    endRun: (run, result, at) => end.immediate(run, result, at),
    sourceOf,
    breakUnended: (at) => void breakUnended.run({ at }),
    count: (run, counts) => {
      addCounts.run({ ...counts, run });
    },
  };
}
