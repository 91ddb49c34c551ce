import { setTimeout as delay } from 'node:timers/promises';
import type { Months } from '../export/bulk/stage-months.ts';
import type { ExportReport } from '../export/export-all.ts';
import type { Settings } from '../settings/schema.ts';
import { retryWhileLocked } from '../store/sqlite/retry-while-locked.ts';
import type { Store } from '../store/store.ts';
import { type RunInBackground, runHere } from './tasks/tasks.ts';

/** How the datasets are written. */
export interface Publishing {
  /**
   * Writes the datasets; with `force`, those too that the guard would keep back.
   *
   * @throws {ExportingError} when another process is writing them and does not end.
   * @throws {GuardError} when they are kept back.
   */
  export(signal?: AbortSignal, options?: { force?: boolean; months?: Months }): Promise<ExportReport>;
  /**
   * The same beside a crawl, without holding it up; null when another process is writing them. Months of visits and usage only so often,
   * but all of them, here and above, where what was purged must not stay published.
   */
  exportInBackground(signal: AbortSignal): Promise<ExportReport | null>;
}

export interface PublishingParts {
  settings: () => Settings;
  store: Pick<Store, 'takeRole' | 'isRedactionDue' | 'unpublishedPurge' | 'markPurgePublished'>;
  background: RunInBackground;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

export function createPublishing({ settings, store, background, now, clock }: PublishingParts): Publishing {
  let monthsDueAt = Number.NEGATIVE_INFINITY;

  /** Gives the role back when it is done. */
  async function exportWith(
    run: RunInBackground,
    role: Disposable,
    signal: AbortSignal,
    { force = false, months = 'all' }: { force?: boolean; months?: Months } = {},
  ): Promise<ExportReport> {
    try {
      const purge = store.isRedactionDue() ? null : store.unpublishedPurge();
      const { database, contact, flags, retention, export: to } = settings();
      const { crowdedFrom, staleDays } = flags;
      const input = {
        database,
        dir: to.dir,
        at: now(),
        flags: { crowdedFrom, staleDays },
        contact,
        visitsDays: retention.visitsDays,
        months: purge === null ? months : ('all' as const),
        maxDropPercent: to.maxDropPercent,
        force,
      };
      const report = await run('export', input, signal);
      if (purge !== null) await retryWhileLocked(() => store.markPurgePublished(purge));
      return report;
    } finally {
      role[Symbol.dispose]();
    }
  }

  return {
    async export(signal = new AbortController().signal, options = {}) {
      const role = await takeExportRole(store, { dir: settings().export.dir, clock, signal });
      return await exportWith(runHere, role, signal, options);
    },

    async exportInBackground(signal) {
      const startedAt = clock();
      const role = store.takeRole('export');
      if (role === null) return null;
      const areMonthsDue = startedAt >= monthsDueAt;
      const report = await exportWith(background, role, signal, { months: areMonthsDue ? 'unfinished' : 'missing' });
      if (areMonthsDue) monthsDueAt = startedAt + settings().export.bulkHours * 3_600_000;
      return report;
    },
  };
}

/** The guard kept the files back. An error from a thread has lost its class but not its name. */
export function isKeptBack(error: unknown): boolean {
  return error instanceof Error && error.name === 'GuardError';
}

/** Another process writes the files of this database. */
export class ExportingError extends Error {
  override readonly name = 'ExportingError';
  readonly kind = 'failure';
}

const PATIENCE_MS = 120_000;
const PAUSE_MS = 200;

/**
 * Takes the role of the one process that writes the files of a database, and waits for another to end.
 *
 * @param clock monotonic, in milliseconds.
 * @throws {ExportingError} when it does not; the signal's reason when that aborts.
 */
export async function takeExportRole(
  store: Pick<Store, 'takeRole'>,
  { dir, clock, signal }: { dir: string; clock: () => number; signal: AbortSignal },
): Promise<Disposable> {
  for (const startedAt = clock(); clock() - startedAt < PATIENCE_MS; await delay(PAUSE_MS)) {
    const role = store.takeRole('export');
    if (role !== null) return role;
    signal.throwIfAborted();
  }
  throw new ExportingError(
    `another process has been exporting this database for two minutes, and ${dir} was not written; try again when it is done`,
  );
}
