import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createBoundaryFinder } from '../history/find-boundary.ts';
import { migrations } from '../migrations/index.ts';
import { createOrphanRemover } from '../opt-outs/remove-orphans.ts';
import { rememberFile } from '../sqlite/database-file.ts';
import { requireMigrated } from '../sqlite/migrate.ts';
import { type Compiler, createCompiler } from '../sqlite/prepare.ts';
import { connectExisting, type Sqlite, whenFree, withOpeningErrors } from '../sqlite/sqlite.ts';
import { type CompactionProgress, createProgressStore, initialProgress } from './compaction-progress.ts';
import { createNeverSeenRemover } from './drop-never-seen.ts';
import { createRunThinner, createUsageThinner, createVisitThinner } from './thin.ts';

/** Retention periods in days. `unlistedDays` is for dead domains that no source lists, see `drop-never-seen.ts`. */
export interface Retention {
  stepsDays: number;
  documentsDays: number;
  visitsDays: number;
  usageDays: number;
  unlistedDays: number;
}

export interface CompactionOptions {
  path: string;
  /** The current time, epoch milliseconds. Ages are counted back from it, or from a day after the last recorded visit if that is earlier. */
  at: number;
  retention: Retention;
  /** Stops after the current transaction; the next compaction continues there. */
  signal?: AbortSignal | undefined;
  /** Awaited between two transactions, so that other connections can write. */
  pause?: () => Promise<void>;
}

/** Numbers of deleted rows. */
export interface CompactionReport {
  /** Visits whose steps were deleted. */
  steps: number;
  documents: number;
  visits: number;
  usage: number;
  factSets: number;
  /** Never-seen domains that no source lists any more. */
  domains: number;
  /** Size of the free pages. They stay in the file and are reused. */
  freeBytes: number;
  end: 'done' | 'stopped';
}

type Removed = Partial<Omit<CompactionReport, 'freeBytes' | 'end'>>;

/** A pass over ids up to `end`, in steps; it continues where the last compaction stopped. */
interface Walk {
  name: Exclude<keyof CompactionProgress, 'begunAt'>;
  end: number;
  work: (from: number, to: number) => Removed;
}

const NOTHING: Readonly<Required<Removed>> = { steps: 0, documents: 0, visits: 0, usage: 0, factSets: 0, domains: 0 };

const DAY_MS = 86_400_000;
/**
 * After this time all walks start at the first id again, to find visits that a wrong clock put out of order and rows that lost their last
 * reference.
 */
const RESTART_AFTER_MS = 30 * DAY_MS;
/** Limits the effect of a clock that is far ahead, and of a long pause between crawls. */
const MAX_AFTER_LAST_VISIT_MS = DAY_MS;
/** A transaction blocks other writers: it starts no further step after this time. */
const MAX_TRANSACTION_MS = 2;
/** Ids per step. */
const STEP = 10;
const PAUSE_MS = 10;

/**
 * Deletes data older than its retention period, in transactions of a few milliseconds on its own connection, so that a crawl can go on.
 * Changes of facts and the last documents of a domain are never deleted. An interrupted compaction is continued by the next. The file does
 * not shrink: the next visits fill the free pages.
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
  const at = Math.min(options.at, lastVisitAt(sqlite) + MAX_AFTER_LAST_VISIT_MS);
  const db = createCompiler();
  const progressStore = createProgressStore(sqlite, db);
  const stored = progressStore.load(at);
  const age = at - stored.begunAt;
  let progress = age > RESTART_AFTER_MS || age < 0 ? initialProgress(at) : stored;
  const total = { ...NOTHING };

  const advance = sqlite.transaction(({ name, end, work }: Walk) => {
    const begunAt = performance.now();
    const removed = { ...NOTHING };
    let reached = progress[name];
    do {
      const to = Math.min(reached + STEP, end);
      addCounts(removed, work(reached, to));
      reached = to;
    } while (reached < end && performance.now() - begunAt < MAX_TRANSACTION_MS);
    const next = { ...progress, [name]: reached };
    progressStore.save(next);
    return { removed, next };
  });
  let isStopped = false;
  for (const walk of createWalks(sqlite, db, at, retention)) {
    while (progress[walk.name] < walk.end) {
      isStopped = signal?.aborted ?? false;
      if (isStopped) break;
      // The progress and the counts become valid only with the commit.
      const { removed, next } = await whenFree(sqlite, () => advance.immediate(walk));
      progress = next;
      addCounts(total, removed);
      await (pause ?? (() => delay(PAUSE_MS)))();
    }
  }
  // These walks start at the first id every time, because the rows that they delete are not in the order of their age.
  if (!isStopped) await whenFree(sqlite, () => progressStore.save({ ...progress, usage: 0, runs: 0, neverSeen: 0 }));
  const pages = Number(sqlite.pragma('freelist_count', { simple: true }));
  const pageBytes = Number(sqlite.pragma('page_size', { simple: true }));
  return { ...total, freeBytes: pages * pageBytes, end: isStopped ? 'stopped' : 'done' };
}

/** The start of the visit recorded last, which is not the latest start if the clock was ahead for a while. */
function lastVisitAt(sqlite: Sqlite): number {
  const last = sqlite.prepare<[], { at: number }>('select at from visits order by id desc limit 1').get();
  return last?.at ?? Number.POSITIVE_INFINITY;
}

function addCounts(total: Required<Removed>, more: Removed): void {
  for (const kind of Object.keys(total) as (keyof Removed)[]) total[kind] += more[kind] ?? 0;
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

  const [stepsBefore, documentsBefore, visitsBefore, usageBefore] = [
    before(retention.stepsDays),
    before(retention.documentsDays),
    before(retention.visitsDays),
    before(retention.usageDays),
  ];
  const thinRuns = createRunThinner(sqlite, db);
  const removeNeverSeen = createNeverSeenRemover(sqlite, db);
  const unlistedBefore = before(retention.unlistedDays);
  return [
    {
      name: 'runs',
      end: Number(sqlite.prepare('select max(id) from source_runs where begun_at < ?').pluck().get(visitsBefore) ?? 0),
      work: (from, to) => {
        thinRuns({ from, to, before: visitsBefore });
        return {};
      },
    },
    {
      name: 'visits',
      end: boundaryOf(visitsBefore),
      work: (from, to) => visits.deleteVisits({ from, to, before: visitsBefore }),
    },
    {
      name: 'steps',
      end: boundaryOf(stepsBefore),
      work: (from, to) => visits.clearSteps({ from, to, before: stepsBefore }),
    },
    {
      name: 'documents',
      end: boundaryOf(documentsBefore),
      work: (from, to) => visits.clearDocuments({ from, to, before: documentsBefore }),
    },
    {
      name: 'usage',
      end: lastOf('usage', 'domain_id'),
      work: (from, to) => thinUsage({ from, to, before: usageBefore }),
    },
    {
      name: 'neverSeen',
      end: lastOf('domains', 'id'),
      work: (from, to) => removeNeverSeen({ from, to, before: unlistedBefore }),
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
