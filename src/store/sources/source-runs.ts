import { sql } from 'kysely';
import { namesOptedOutHost, type OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import type { EntryCounts } from '../frontier/candidate.ts';
import { isSourceOptedOut } from '../opt-outs/opted-out.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { DEAD_PROCESS_WHY } from './source-run-row.ts';
import type { RunEnd, SourceIdentity } from './source-state.ts';

/** The run is not in progress: it was ended, or another process took the source over. */
export class RunOverError extends Error {
  override readonly name = 'RunOverError';

  constructor(run: number) {
    super(`source run ${run} is not in progress`);
  }
}

export interface RunStore extends Pick<Store, 'beginRun' | 'endRun'> {
  /**
   * The id of the source of a run of this owner.
   *
   * @throws {RunOverError} when the run is not in progress.
   */
  sourceOf(run: number): number;
  /** Adds counts to those of a run. Runs inside the caller's transaction. */
  count(run: number, counts: EntryCounts): void;
  /** All owners with a run in progress. */
  owners(): string[];
  /** Marks the runs in progress of a dead owner as broken. */
  breakRunsOf(owner: string, at: number): void;
}

const DEFAULT_CLAIM_MS = 3_600_000;

/**
 * Stores the runs of sources.
 *
 * @param reclaimIfDead checks whether the process of an owner is dead, and if so calls `then`.
 */
export function createRunStore(
  sqlite: Sqlite,
  db: Compiler,
  {
    owner,
    optedOut,
    reclaimIfDead,
  }: { owner: string; optedOut: OptOutSet; reclaimIfDead: (owner: string, at: number, then: () => void) => void },
): RunStore {
  const upsertSource = prepare(sqlite, (parameter: QueryParameter<SourceIdentity & { at: number }>) =>
    db
      .insertInto('sources')
      .values({ key: parameter('key'), type: parameter('type'), label: parameter('label'), first_at: parameter('at') })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ type: parameter('type'), label: parameter('label') }),
      )
      .returning('id'),
  );
  type NewRun = { source: number; at: number; until: number; owner: string };
  const insert = prepare(sqlite, (parameter: QueryParameter<NewRun>) =>
    db
      .insertInto('source_runs')
      .values({
        source_id: parameter('source'),
        begun_at: parameter('at'),
        owner: parameter('owner'),
        claimed_until: parameter('until'),
      })
      .returning('id'),
  );
  const findInProgress = prepare(sqlite, (parameter: QueryParameter<{ run: number; owner: string }>) =>
    db
      .selectFrom('source_runs')
      .select('source_id as source')
      .where('id', '=', parameter('run'))
      .where('owner', '=', parameter('owner'))
      .where('outcome', 'is', null),
  );
  const selectOwners = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('source_runs').select('owner').distinct().where('outcome', 'is', null),
  );
  const broken = { outcome: sql.lit('broken' as const), why: sql.lit(DEAD_PROCESS_WHY) };
  const breakRuns = prepare(sqlite, (parameter: QueryParameter<{ owner: string; at: number }>) =>
    db
      .updateTable('source_runs')
      .set({ ...broken, ended_at: parameter('at') })
      .where('owner', '=', parameter('owner'))
      .where('outcome', 'is', null),
  );
  const breakOwn = prepare(sqlite, (parameter: QueryParameter<{ owner: string; source: number; at: number }>) =>
    db
      .updateTable('source_runs')
      .set({ ...broken, why: sql.lit('a newer run began before this one ended'), ended_at: parameter('at') })
      .where('owner', '=', parameter('owner'))
      .where('source_id', '=', parameter('source'))
      .where('outcome', 'is', null),
  );
  const findClaim = prepare(sqlite, (parameter: QueryParameter<{ key: string; owner: string; at: number }>) =>
    db
      .selectFrom('source_runs')
      .innerJoin('sources', 'sources.id', 'source_id')
      .select('source_runs.id')
      .where('key', '=', parameter('key'))
      .where('outcome', 'is', null)
      .where('owner', '<>', parameter('owner'))
      .where('claimed_until', '>', parameter('at')),
  );
  const breakRemaining = prepare(sqlite, (parameter: QueryParameter<{ source: number; at: number }>) =>
    db
      .updateTable('source_runs')
      .set({ ...broken, why: sql.lit('it exceeded its time limit'), ended_at: parameter('at') })
      .where('source_id', '=', parameter('source'))
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
    owner: string;
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
      .where('owner', '=', parameter('owner'))
      .where('outcome', 'is', null),
  );

  const begin = sqlite.transaction((source: SourceIdentity, at: number, until: number): number | null => {
    if (isSourceOptedOut(`${source.key} ${source.label}`, optedOut)) return null;
    if (findClaim.get({ key: source.key, owner, at }) !== undefined) return null;
    const id = upsertSource.get({ ...source, at })?.id;
    if (id === undefined) throw new Error('SQLite returned no id for a source');
    breakOwn.run({ owner, source: id, at });
    breakRemaining.run({ source: id, at });
    deleteSkipped.run({ key: source.key });
    const run = insert.get({ source: id, at, until, owner })?.id;
    if (run === undefined) throw new Error('SQLite returned no id for a run that it inserted');
    return run;
  });
  const sourceOf = (run: number): number => {
    const source = findInProgress.get({ run, owner })?.source;
    if (source === undefined) throw new RunOverError(run);
    return source;
  };
  const end = sqlite.transaction((run: number, { refusedByReason, notBefore = null, ...rest }: RunEnd, at: number) => {
    setNotBefore.run({ source: sourceOf(run), notBefore });
    const why = rest.why !== null && namesOptedOutHost(rest.why, optedOut) ? null : rest.why;
    finish.run({ ...rest, why, reasons: JSON.stringify(refusedByReason), run, at, owner });
  });
  const owners = () => selectOwners.all({}).map((row) => row.owner);
  const breakRunsOf = (other: string, at: number): void => {
    breakRuns.run({ owner: other, at });
  };
  return {
    beginRun({ key, type, label }, at, until = at + DEFAULT_CLAIM_MS) {
      for (const other of owners()) if (other !== owner) reclaimIfDead(other, at, () => breakRunsOf(other, at));
      return begin.immediate({ key, type, label }, at, until);
    },
    endRun: (run, result, at) => end.immediate(run, result, at),
    sourceOf,
    count: (run, counts) => {
      addCounts.run({ ...counts, run });
    },
    owners,
    breakRunsOf,
  };
}
