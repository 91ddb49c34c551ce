import { setTimeout as delay } from 'node:timers/promises';
import type { Months } from '../export/bulk/stage-months.ts';
import type { ExportReport } from '../export/export-all.ts';
import type { Settings } from '../settings/schema.ts';
import type { Store } from '../store/store.ts';
import { describeCrawler } from './about.ts';
import { type RunTask, runInline } from './tasks/tasks.ts';

export interface Publishing {
  /**
   * Writes the datasets, and the static site if there is a folder for it.
   *
   * @throws {ExportBusyError} when another process is still writing them after two minutes.
   * @throws {GuardError} when the guard refuses, for example because too many instances would disappear.
   */
  export(signal?: AbortSignal, options?: PublishOptions): Promise<ExportReport>;
  /**
   * Writes the datasets on another thread; null when another process is writing them. Incomplete months of visits and usage are
   * rewritten once per `export.bulkHours`; otherwise only unpublished months are written. As long as the exported files may still
   * contain purged names, the published months are searched for them.
   */
  exportInBackground(signal: AbortSignal): Promise<ExportReport | null>;
}

interface PublishOptions {
  /** Skips the guard. */
  force?: boolean;
  months?: Months;
  /** The folder of the static site. Default: the setting `export.site`. */
  siteDir?: string;
}

export interface PublishingParts {
  settings: () => Settings;
  store: Pick<Store, 'takeRole' | 'unpublishedPurge' | 'markPurgePublished'>;
  background: RunTask;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

export function createPublishing({ settings, store, background, now, clock }: PublishingParts): Publishing {
  let monthsDueAt = Number.NEGATIVE_INFINITY;

  /** Releases the role at the end. */
  async function exportWith(
    run: RunTask,
    role: Disposable,
    signal: AbortSignal,
    { force = false, months = 'all', siteDir }: PublishOptions = {},
  ): Promise<ExportReport> {
    try {
      const purge = store.unpublishedPurge();
      const { database, contact, flags, retention, export: exportSettings } = settings();
      const { crowdedFrom, staleDays } = flags;
      const site = siteDir ?? exportSettings.site;
      const input = {
        database,
        dir: exportSettings.dir,
        at: now(),
        flags: { crowdedFrom, staleDays },
        contact,
        visitsDays: retention.visitsDays,
        months: purge !== null && months === 'only-missing' ? ('rewrite-unfinished' as const) : months,
        maxDropPercent: exportSettings.maxDropPercent,
        force,
        mustPurge: purge !== null,
        site: site === null ? null : { dir: site, base: exportSettings.siteUrl, about: describeCrawler(settings()) },
      };
      const report = await run('export', input, signal);
      if (purge !== null) store.markPurgePublished(purge);
      return report;
    } finally {
      role[Symbol.dispose]();
    }
  }

  return {
    async export(signal = new AbortController().signal, options = {}) {
      const role = await takeExportRole(store, { dir: settings().export.dir, clock, signal });
      return await exportWith(runInline, role, signal, options);
    },

    async exportInBackground(signal) {
      const startedAt = clock();
      const role = store.takeRole('export');
      if (role === null) return null;
      const areMonthsDue = startedAt >= monthsDueAt;
      const report = await exportWith(background, role, signal, {
        months: areMonthsDue ? 'rewrite-unfinished' : 'only-missing',
      });
      if (areMonthsDue) monthsDueAt = startedAt + settings().export.bulkHours * 3_600_000;
      return report;
    },
  };
}

/** Whether the guard refused an export. Compares the name, because an error from a thread loses its class. */
export function isGuardError(error: unknown): boolean {
  return error instanceof Error && error.name === 'GuardError';
}

/** Another process is exporting the same database. */
export class ExportBusyError extends Error {
  override readonly name = 'ExportBusyError';
  readonly kind = 'failure';
}

const MAX_WAIT_MS = 120_000;
const RETRY_MS = 200;

/**
 * Takes the export role, which one process at a time can hold. Waits while another process holds it.
 *
 * @param clock monotonic, in milliseconds.
 * @throws {ExportBusyError} after two minutes.
 * @throws the signal's reason when it aborts.
 */
export async function takeExportRole(
  store: Pick<Store, 'takeRole'>,
  { dir, clock, signal }: { dir: string; clock: () => number; signal: AbortSignal },
): Promise<Disposable> {
  for (const startedAt = clock(); clock() - startedAt < MAX_WAIT_MS; await delay(RETRY_MS)) {
    const role = store.takeRole('export');
    if (role !== null) return role;
    signal.throwIfAborted();
  }
  throw new ExportBusyError(
    `another process has been exporting this database for two minutes, so ${dir} was not written; try again when it has finished`,
  );
}
