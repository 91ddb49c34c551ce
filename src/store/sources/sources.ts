import { sql } from 'kysely';
import type { Candidate } from '../../model/domain/domain.ts';
import { namesOptedOutHost, type OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import type { RunOutcome } from '../../model/run-outcome.ts';
import { type EpochMs, MINUTE_MS } from '../../model/time.ts';
import { type EntryCounts, type EntryLimits, SourceEntry } from '../domains/enter-from.ts';
import { isSourceOptedOut } from '../opt-outs/opted-out.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import type { QueryParameter } from '../sqlite/prepare.ts';

export interface SourceIdentity {
  /** Unique and stable. */
  readonly key: string;
  readonly type: string;
  readonly label: string;
}

/** The result of a run. */
export interface RunEnd {
  readonly outcome: Exclude<RunOutcome, 'broken'>;
  /** Why the run is incomplete; null when it is complete. */
  readonly why: string | null;
  /** For the next conditional request, as received (RFC 9110, sections 8.8.2 and 8.8.3). */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly requests: number;
  /** Bytes of the response bodies. */
  readonly bytes: number;
  readonly lines: number;
  readonly refused: number;
  readonly refusedByReason: Readonly<Partial<Record<string, number>>>;
  /** Duplicates in this run. */
  readonly merged: number;
  /** The earliest next request, as the server asked (Retry-After); null or undefined when it did not. */
  readonly notBefore?: EpochMs | null;
}

/** A source that was skipped when due. */
export interface SkippedSource {
  readonly key: string;
  readonly at: EpochMs;
  readonly why: string;
}

const UNENDED = 'the process that read the source ended before the run did';
/** Candidates per transaction, which keeps each transaction short. */
const CHUNK = 1_000;
/**
 * Minimum time between two records of the same skipped source. While offline, sources are checked every few seconds, and every write
 * invalidates the caches of readers.
 */
const MIN_INTERVAL_MS = MINUTE_MS;

/** The run is not in progress. */
export class RunOverError extends Error {
  override readonly name = 'RunOverError';

  constructor(run: number) {
    super(`source run ${run} is not in progress`);
  }
}

type EndedRun = Omit<RunEnd, 'refusedByReason' | 'notBefore'> & { reasons: string; run: number; at: number };

/** The sources, their runs, and what they list. Times are milliseconds since the epoch. */
export class Sources extends Rows {
  readonly #optOuts: OptOutSet;
  readonly #entry: SourceEntry;
  readonly #upsertSource = this.database.prepare((db, parameter: QueryParameter<SourceIdentity & { at: number }>) =>
    db
      .insertInto('sources')
      .values({ key: parameter('key'), type: parameter('type'), label: parameter('label'), first_at: parameter('at') })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ type: parameter('type'), label: parameter('label') }),
      )
      .returning('id'),
  );
  readonly #insertRun = this.database.prepare((db, parameter: QueryParameter<{ source: number; at: number }>) =>
    db
      .insertInto('source_runs')
      .values({ source_id: parameter('source'), begun_at: parameter('at') })
      .returning('id'),
  );
  readonly #findInProgress = this.database.prepare((db, parameter: QueryParameter<{ run: number }>) =>
    db
      .selectFrom('source_runs')
      .select('source_id as source')
      .where('id', '=', parameter('run'))
      .where('outcome', 'is', null),
  );
  readonly #breakUnended = this.database.prepare((db, parameter: QueryParameter<{ at: number }>) =>
    db
      .updateTable('source_runs')
      .set({ outcome: sql.lit('broken' as const), why: sql.lit(UNENDED), ended_at: parameter('at') })
      .where('outcome', 'is', null),
  );
  readonly #setNotBefore = this.database.prepare(
    (db, parameter: QueryParameter<{ source: number; notBefore: number | null }>) =>
      db
        .updateTable('sources')
        .set({ not_before: parameter('notBefore') })
        .where('id', '=', parameter('source')),
  );
  readonly #deleteSkipped = this.database.prepare((db, parameter: QueryParameter<{ key: string }>) =>
    db.deleteFrom('skipped_sources').where('key', '=', parameter('key')),
  );
  readonly #addCounts = this.database.prepare((db, parameter: QueryParameter<EntryCounts & { run: number }>) =>
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
  readonly #endRun = this.database.prepare((db, parameter: QueryParameter<EndedRun>) =>
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
  readonly #upsertSkipped = this.database.prepare((db, parameter: QueryParameter<SkippedSource>) =>
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
  readonly #findSources = this.database.prepare((db) => db.selectFrom('sources').select(['id', 'key', 'inactive']));
  readonly #setInactive = this.database.prepare((db, parameter: QueryParameter<{ id: number; inactive: number }>) =>
    db
      .updateTable('sources')
      .set({ inactive: parameter('inactive') })
      .where('id', '=', parameter('id')),
  );

  constructor(database: Database, optOuts: OptOutSet) {
    super(database);
    this.#optOuts = optOuts;
    this.#entry = new SourceEntry(database, optOuts);
  }

  /** Begins a run of a source and returns its id; null when its host has opted out. */
  beginRun({ key, type, label }: SourceIdentity, at: number): number | null {
    return this.database.write(() => {
      if (isSourceOptedOut(`${key} ${label}`, this.#optOuts)) return null;
      const id = this.#upsertSource.get({ key, type, label, at })?.id;
      if (id === undefined) throw new Error('SQLite returned no id for a source');
      this.#deleteSkipped.run({ key });
      const run = this.#insertRun.get({ source: id, at })?.id;
      if (run === undefined) throw new Error('SQLite returned no id for a run that it inserted');
      return run;
    });
  }

  /**
   * Enters the domains that a source lists, due at `at`, stores that it lists them, and adds the results to the counts of the run. Domains
   * that the source reports to run the software are visited earlier, up to 1,000 at a time. As with `Domains.enter`, pass a thousand
   * at a time.
   *
   * @throws {RunOverError} when the run is no longer in progress.
   */
  enterFrom(run: number, candidates: readonly Candidate[], at: number, limits: EntryLimits): EntryCounts {
    const total = { entered: 0, known: 0, queueFull: 0, cappedByDomain: 0, optedOut: 0 };
    for (let start = 0; start < candidates.length; start += CHUNK) {
      const counts = this.database.write(() => {
        const entered = this.#entry.enter(this.#sourceOf(run), candidates.slice(start, start + CHUNK), at, limits);
        this.#addCounts.run({ ...entered, run });
        return entered;
      });
      for (const outcome of Object.keys(total) as (keyof EntryCounts)[]) total[outcome] += counts[outcome];
    }
    return total;
  }

  /** @throws {RunOverError} when the run is no longer in progress. */
  endRun(run: number, { refusedByReason, notBefore = null, ...rest }: RunEnd, at: number): void {
    this.database.write(() => {
      this.#setNotBefore.run({ source: this.#sourceOf(run), notBefore });
      const why = rest.why !== null && namesOptedOutHost(rest.why, this.#optOuts) ? null : rest.why;
      this.#endRun.run({ ...rest, why, reasons: JSON.stringify(refusedByReason), run, at });
    });
  }

  /** Marks the runs that never ended as broken. */
  breakUnended(at: number): void {
    this.database.write(() => this.#breakUnended.run({ at }));
  }

  /**
   * Stores which sources are active. Inactive sources do not count in `KnownSources.ofInstances`. Writes only if something changed, because
   * every write invalidates the caches of readers.
   *
   * @param active the keys of all active sources.
   */
  syncActive(active: readonly string[]): void {
    const keys = new Set(active);
    const findChanged = () =>
      this.#findSources.all({}).filter(({ key, inactive }) => keys.has(key) === (inactive === 1));
    if (this.database.read(findChanged).length === 0) return;
    this.database.write(() => {
      for (const { id, inactive } of findChanged()) this.#setInactive.run({ id, inactive: 1 - inactive });
    });
  }

  /** Stores that due sources were skipped; the same source at most once a minute. */
  recordSkipped(sources: readonly SkippedSource[]): void {
    this.database.write(() => {
      for (const source of sources) if (!isSourceOptedOut(source.key, this.#optOuts)) this.#upsertSkipped.run(source);
    });
  }

  #sourceOf(run: number): number {
    const source = this.#findInProgress.get({ run })?.source;
    if (source === undefined) throw new RunOverError(run);
    return source;
  }
}
