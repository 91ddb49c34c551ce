import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { DAY_MS } from '../../model/time.ts';
import { Metadata } from '../metadata.ts';
import { Database } from '../sqlite/database.ts';
import { rememberFile } from '../sqlite/database-file.ts';
import { requireMigrated } from '../sqlite/migrate.ts';
import { connectExisting, type Sqlite, whenFree, withOpeningErrors } from '../sqlite/sqlite.ts';
import { VisitIds } from '../visits/visit-ids.ts';
import { type Range, Thinning } from './thin.ts';

/** Retention periods in days. `unlistedDays` is for dead domains that no source lists, see `Thinning.dropNeverSeen`. */
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

const KEY = 'compaction';
/** In the order in which they are made. */
const WALKS = ['runs', 'visits', 'steps', 'documents', 'usage', 'neverSeen', 'orphanDocuments', 'orphanFacts'] as const;
const NOTHING_DONE = Object.fromEntries(WALKS.map((name) => [name, 0])) as Record<(typeof WALKS)[number], number>;
/** The last id processed by each walk, stored so that the next compaction continues; `begunAt`: when the walks last started at the first id. */
const Progress = z.record(z.enum([...WALKS, 'begunAt']), z.number());

/** A pass over ids up to `end`, in steps; it continues where the last compaction stopped. */
interface Walk {
  name: (typeof WALKS)[number];
  end: number;
  /** Rows from before this time are deleted. */
  before: number;
  work: (range: Range) => Removed;
}

const NOTHING: Readonly<Required<Removed>> = { steps: 0, documents: 0, visits: 0, usage: 0, factSets: 0, domains: 0 };

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
      requireMigrated(sqlite, path);
      return await run(new Database(sqlite, path), options);
    } finally {
      sqlite.close();
    }
  };
  return withOpeningErrors(path, work, rememberFile(path));
}

async function run(
  database: Database,
  { retention, signal, pause, ...options }: CompactionOptions,
): Promise<CompactionReport> {
  const { sqlite } = database;
  const at = Math.min(options.at, lastVisitAt(sqlite) + MAX_AFTER_LAST_VISIT_MS);
  const metadata = new Metadata(database);
  const restarted = { ...NOTHING_DONE, begunAt: at };
  const stored = metadata.get(KEY, Progress) ?? restarted;
  const age = at - stored.begunAt;
  let progress = age > RESTART_AFTER_MS || age < 0 ? restarted : stored;
  const total = { ...NOTHING };

  const advance = ({ name, end, before, work }: Walk) => {
    const begunAt = performance.now();
    const removed = { ...NOTHING };
    let from = progress[name];
    do {
      const to = Math.min(from + STEP, end);
      addCounts(removed, work({ from, to, before }));
      from = to;
    } while (from < end && performance.now() - begunAt < MAX_TRANSACTION_MS);
    const next = { ...progress, [name]: from };
    metadata.set(KEY, next);
    return { removed, next };
  };
  let isStopped = false;
  for (const walk of createWalks(database, at, retention)) {
    while (progress[walk.name] < walk.end) {
      isStopped = signal?.aborted ?? false;
      if (isStopped) break;
      // The progress and the counts become valid only with the commit.
      const { removed, next } = await whenFree(sqlite, () => database.attempt(() => advance(walk)));
      progress = next;
      addCounts(total, removed);
      await (pause ?? (() => delay(PAUSE_MS)))();
    }
  }
  // These walks start at the first id every time, because the rows that they delete are not in the order of their age.
  const begun = { ...progress, usage: 0, runs: 0, neverSeen: 0 };
  if (!isStopped) await whenFree(sqlite, () => metadata.set(KEY, begun));
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

function createWalks(database: Database, at: number, retention: Retention): Walk[] {
  const { sqlite } = database;
  const thinning = new Thinning(database);
  const times = new VisitIds(database);
  const lastOf = (table: string, column: string) =>
    Number(sqlite.prepare(`select max(${column}) from ${table}`).pluck().get() ?? 0);
  const ago = (days: number) => at - days * DAY_MS;
  const [steps, documents, visits] = [
    ago(retention.stepsDays),
    ago(retention.documentsDays),
    ago(retention.visitsDays),
  ];
  const lastRun = sqlite.prepare('select max(id) from source_runs where begun_at < ?').pluck().get(visits);
  const walk = (name: Walk['name'], end: number, before: number, work: Walk['work']): Walk => ({
    name,
    end,
    before,
    work,
  });
  return [
    walk('runs', Number(lastRun ?? 0), visits, (range) => thinning.thinRuns(range)),
    walk('visits', times.lastBefore(visits), visits, (range) => thinning.deleteVisits(range)),
    walk('steps', times.lastBefore(steps), steps, (range) => thinning.clearSteps(range)),
    walk('documents', times.lastBefore(documents), documents, (range) => thinning.clearDocuments(range)),
    walk('usage', lastOf('usage', 'domain_id'), ago(retention.usageDays), (range) => thinning.thinUsage(range)),
    walk('neverSeen', lastOf('domains', 'id'), ago(retention.unlistedDays), (range) => thinning.dropNeverSeen(range)),
    walk('orphanDocuments', lastOf('documents', 'id'), at, (range) => thinning.dropOrphanDocuments(range)),
    walk('orphanFacts', lastOf('fact_sets', 'id'), at, (range) => thinning.dropOrphanFacts(range)),
  ];
}
