import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRetainedSinceStore } from '../history/as-of-cut.ts';
import { createBoundaryFinder } from '../history/find-boundary.ts';
import { migrations } from '../migrations/index.ts';
import { createOrphanRemover } from '../opt-outs/remove-orphans.ts';
import { rememberFile } from '../sqlite/database-file.ts';
import { requireMigrated } from '../sqlite/migrate.ts';
import { type Compiler, createCompiler } from '../sqlite/prepare.ts';
import { connectExisting, type Sqlite, whenFree, withOpeningErrors } from '../sqlite/sqlite.ts';
import { beginning, type CompactionProgress, createProgressStore } from './compaction-progress.ts';
import { createUnlistedRemover } from './drop-unlisted.ts';
import { createRunThinner, createUsageThinner, createVisitThinner } from './thin.ts';

/** How long what is kept; in days. */
export interface Retention {
  stepsDays: number;
  documentsDays: number;
  visitsDays: number;
  usageDays: number;
  unlistedDays: number;
}

export interface CompactionOptions {
  path: string;
  /** Ages are counted from here, in epoch milliseconds, but from no later than a day after the visit that was recorded last. */
  at: number;
  retention: Retention;
  /** Ends it after the transaction under way; it goes on the next time. */
  signal?: AbortSignal | undefined;
  /** Between two transactions; leaves the database to others. */
  pause?: () => Promise<void>;
}

/** What went, in rows. */
export interface CompactionReport {
  /** Visits whose steps were thrown away. */
  steps: number;
  documents: number;
  visits: number;
  /** Counts thinned out. */
  usage: number;
  factSets: number;
  /** Domains that are listed no more and never were more than a name. */
  domains: number;
  /** Pages that are free now, in bytes. They stay in the file, and what is recorded next goes into them. */
  freeBytes: number;
  end: 'done' | 'stopped';
}

type Removed = Partial<Omit<CompactionReport, 'freeBytes' | 'end'>>;

/** A pass over some ids, in pieces: from where it was left, up to an id. */
interface Walk {
  name: Exclude<keyof CompactionProgress, 'begunAt'>;
  end: number;
  work: (from: number, to: number) => Removed;
}

const NOTHING: Readonly<Required<Removed>> = { steps: 0, documents: 0, visits: 0, usage: 0, factSets: 0, domains: 0 };

const DAY_MS = 86_400_000;
/** Now and then everything is walked anew: visits that a wrong clock put out of order were passed over, and rows lost their last referrer. */
const ANEW_AFTER_MS = 30 * DAY_MS;
/** The clock is trusted so far beyond the last visit: one far ahead, or years of standing still, make nothing old at once. */
const MOST_BEYOND_MS = DAY_MS;
/** A transaction keeps other writers waiting: it takes step after step until this is over, however much or little there is to do in each. */
const MOST_MS = 2;
/** Ids looked at in one step. */
const STEP = 10;
const PAUSE_MS = 10;

/**
 * Throws away what is older than its retention, beside a crawl: in transactions of a few milliseconds on a connection of its own. Changes of
 * facts are never thrown away, nor the last documents of a domain. Killed, it goes on the next time. The file does not shrink:
 * giving pages back would mean moving others into their place, all of it written again, for room that the next day's visits take.
 *
 * @throws StoreError
 */
export async function compact(options: CompactionOptions): Promise<CompactionReport> {
  const path = resolve(options.path);
  const work = async () => {
    const sqlite = await connectExisting(path);
    try {
      requireMigrated(sqlite, path, migrations);
      return await run(sqlite, options);
    } finally {
      sqlite.close();
    }
  };
  return withOpeningErrors(path, work, rememberFile(path));
}

async function run(sqlite: Sqlite, options: CompactionOptions): Promise<CompactionReport> {
  const { retention, signal, pause } = options;
  const at = Math.min(options.at, lastVisitAt(sqlite) + MOST_BEYOND_MS);
  const db = createCompiler();
  const keeper = createProgressStore(sqlite, db);
  const kept = keeper.load(at);
  const age = at - kept.begunAt;
  let progress = age > ANEW_AFTER_MS || age < 0 ? beginning(at) : kept;
  const total = { ...NOTHING };
  const retainedSince = createRetainedSinceStore(sqlite, db);
  const since = { visits: at - retention.visitsDays * DAY_MS, usage: at - retention.usageDays * DAY_MS };
  await whenFree(sqlite, () => retainedSince.save(since));

  const piece = sqlite.transaction(({ name, end, work }: Walk) => {
    const begunAt = performance.now();
    const removed = { ...NOTHING };
    let reached = progress[name];
    do {
      const to = Math.min(reached + STEP, end);
      add(removed, work(reached, to));
      reached = to;
    } while (reached < end && performance.now() - begunAt < MOST_MS);
    const next = { ...progress, [name]: reached };
    keeper.save(next);
    return { removed, next };
  });
  let isStopped = false;
  for (const walk of createWalks(sqlite, db, at, retention)) {
    while (progress[walk.name] < walk.end) {
      isStopped = signal?.aborted ?? false;
      if (isStopped) break;
      // Counted only once it is committed.
      const { removed, next } = await whenFree(sqlite, () => piece.immediate(walk));
      progress = next;
      add(total, removed);
      await (pause ?? (() => delay(PAUSE_MS)))();
    }
  }
  // Counts are thinned and domains dropped from the first domain on every time, runs from the first run, and the rest only from where it was left.
  if (!isStopped) await whenFree(sqlite, () => keeper.save({ ...progress, usage: 0, runs: 0, unlisted: 0 }));
  const pages = Number(sqlite.pragma('freelist_count', { simple: true }));
  const pageBytes = Number(sqlite.pragma('page_size', { simple: true }));
  return { ...total, freeBytes: pages * pageBytes, end: isStopped ? 'stopped' : 'done' };
}

/** Of what was recorded last, not of the latest time: a clock that was ahead and is right again is not believed for what it recorded. */
function lastVisitAt(sqlite: Sqlite): number {
  const last = sqlite.prepare<[], { at: number }>('select at from visits order by id desc limit 1').get();
  return last?.at ?? Number.POSITIVE_INFINITY;
}

function add(total: Required<Removed>, more: Removed): void {
  for (const what of Object.keys(total) as (keyof Removed)[]) total[what] += more[what] ?? 0;
}

function createWalks(sqlite: Sqlite, db: Compiler, at: number, retention: Retention): Walk[] {
  const visits = createVisitThinner(sqlite, db);
  const orphans = createOrphanRemover(sqlite, db);
  const thinUsage = createUsageThinner(sqlite, db);
  const boundaryOf = createBoundaryFinder(sqlite, db);
  const lastOf = (table: string, column: string) =>
    Number(sqlite.prepare(`select max(${column}) from ${table}`).pluck().get() ?? 0);
  const before = (days: number) => at - days * DAY_MS;
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + 1 + index);

  const [steps, documents, old, usage] = [
    before(retention.stepsDays),
    before(retention.documentsDays),
    before(retention.visitsDays),
    before(retention.usageDays),
  ];
  const thinRuns = createRunThinner(sqlite, db);
  const dropUnlisted = createUnlistedRemover(sqlite, db);
  const unlisted = before(retention.unlistedDays);
  return [
    {
      name: 'runs',
      end: Number(sqlite.prepare('select max(id) from source_runs where begun_at < ?').pluck().get(old) ?? 0),
      work: (from, to) => {
        thinRuns({ from, to, before: old });
        return {};
      },
    },
    { name: 'visits', end: boundaryOf(old), work: (from, to) => visits.deleteVisits({ from, to, before: old }) },
    { name: 'steps', end: boundaryOf(steps), work: (from, to) => visits.clearSteps({ from, to, before: steps }) },
    {
      name: 'documents',
      end: boundaryOf(documents),
      work: (from, to) => visits.clearDocuments({ from, to, before: documents }),
    },
    { name: 'usage', end: lastOf('usage', 'domain_id'), work: (from, to) => thinUsage({ from, to, before: usage }) },
    {
      name: 'unlisted',
      end: lastOf('domains', 'id'),
      work: (from, to) => dropUnlisted({ from, to, before: unlisted }),
    },
    {
      name: 'orphanDocuments',
      end: lastOf('documents', 'id'),
      work: (from, to) => ({ documents: orphans.removeDocuments(ids(from, to)) }),
    },
    {
      name: 'orphanFacts',
      end: lastOf('fact_sets', 'id'),
      work: (from, to) => ({ factSets: orphans.removeFactSets(ids(from, to)) }),
    },
  ];
}
