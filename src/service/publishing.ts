import { hash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Months } from '../export/bulk/stage-months.ts';
import type { ExportReport } from '../export/export-all.ts';
import { MANIFEST } from '../export/files/exported-files.ts';
import { prepareFolders } from '../export/files/prepare-folders.ts';
import { areIntact, sha256Of } from '../export/files/published-file.ts';
import { areDatedFilesIntact } from '../export/history/stage-history.ts';
import { type Clock, type EpochMs, HOUR_MS, isoTime } from '../model/time.ts';
import type { Settings } from '../settings/schema.ts';
import { StoreError } from '../store/sqlite/store-error.ts';
import type { Store } from '../store/store.ts';
import { VERSION } from '../version.ts';
import { describeCrawler } from './about.ts';
import { type RunTask, runInline } from './tasks/tasks.ts';
import type { ExportInput } from './tasks/write-datasets.ts';

/** Each includes those before it. */
const MONTHS: readonly Months[] = ['only-missing', 'rewrite-unfinished', 'all'];

const LastExport = z.object({
  /** SHA-256 of the settings, the version and the hour. */
  of: z.string(),
  months: z.custom<Months>(),
  /** SHA-256 of the manifest. */
  manifest: z.string(),
  report: z.custom<ExportReport>(),
});

interface PublishOptions {
  /** Skips the guard. */
  force?: boolean;
  months?: Months;
  /** The folder of the static site. Default: the setting `export.site`. */
  siteDir?: string;
}

interface PublishingParts {
  settings: () => Settings;
  store: Pick<Store, 'takeRole' | 'optOuts' | 'crawler'>;
  background: RunTask;
  now: () => EpochMs;
  clock: Clock;
}

/** Writes the datasets, and the static site if there is a folder for it. */
export class Publishing {
  readonly #parts: PublishingParts;
  #monthsDueAt = Number.NEGATIVE_INFINITY;

  constructor(parts: PublishingParts) {
    this.#parts = parts;
  }

  /**
   * Exports on this thread.
   *
   * @throws {ExportBusyError} when another process is still exporting after two minutes.
   * @throws {GuardError} when the guard refuses, for example because too many instances would disappear.
   */
  async export(signal = new AbortController().signal, options: PublishOptions = {}): Promise<ExportReport> {
    const role = await this.#takeRole(signal);
    return await this.#exportWith(runInline, role, signal, options);
  }

  /**
   * Exports on another thread; null when another process is exporting. Incomplete months of visits and usage are rewritten once per
   * `export.bulkHours`; otherwise only unpublished months are written. As long as the exported files may still contain purged names, the
   * published months are searched for them.
   */
  async exportInBackground(signal: AbortSignal): Promise<ExportReport | null> {
    const { settings, store, background, clock } = this.#parts;
    const startedAt = clock();
    const role = store.takeRole('export');
    if (role === null) return null;
    const areMonthsDue = startedAt >= this.#monthsDueAt;
    const months = areMonthsDue ? 'rewrite-unfinished' : 'only-missing';
    const report = await this.#exportWith(background, role, signal, { months });
    if (areMonthsDue) this.#monthsDueAt = startedAt + settings().export.bulkHours * HOUR_MS;
    return report;
  }

  /** Releases the role at the end. */
  async #exportWith(
    run: RunTask,
    role: Disposable,
    signal: AbortSignal,
    { force = false, months = 'all', siteDir }: PublishOptions,
  ): Promise<ExportReport> {
    using _role = role;
    const { settings, store, now } = this.#parts;
    const purge = store.optOuts.unpublishedPurge();
    const { database, contact, flags, retention, export: exportSettings, site: pages } = settings();
    const { crowdedFrom, staleDays } = flags;
    const site = siteDir ?? exportSettings.site;
    const input: ExportInput = {
      database,
      dir: exportSettings.dir,
      at: now(),
      flags: { crowdedFrom, staleDays },
      publication: {
        ...{ publisher: pages.name, contact, licence: exportSettings.licence, doi: exportSettings.doi },
        url: exportSettings.siteUrl ?? pages.liveUrl,
      },
      about: describeCrawler(settings()),
      visitsDays: retention.visitsDays,
      months: purge !== null && months === 'only-missing' ? 'rewrite-unfinished' : months,
      maxDropPercent: exportSettings.maxDropPercent,
      force,
      mustPurge: purge !== null,
      site:
        site === null ? null : { dir: site, base: exportSettings.siteUrl, about: describeCrawler(settings()), pages },
    };
    const of = hash('sha256', JSON.stringify({ ...input, at: isoTime(input.at).slice(0, 13), months: null, VERSION }));
    // A site also depends on the files of its logo and words.
    if (!force && purge === null && input.site === null) {
      const report = await this.#currentReport(of, input);
      if (report !== null) return report;
    }
    const revision = store.crawler.revision();
    const report = await run('export', input, signal);
    if (purge !== null) store.optOuts.markPurgePublished(purge);
    const manifest = await sha256Of(join(input.dir, MANIFEST));
    try {
      if (manifest !== null) store.crawler.recordExport(revision, { of, months: input.months, manifest, report });
    } catch (error) {
      // The files are published. The next export only has to write them again.
      if (!(error instanceof StoreError)) throw error;
    }
    return report;
  }

  /**
   * The report of the last export, if another one would have nothing to add: it was made in the same hour (UTC) with the same settings,
   * nothing was recorded since, and its files are intact. Null otherwise.
   */
  async #currentReport(of: string, { dir, months }: ExportInput): Promise<ExportReport | null> {
    const last = LastExport.safeParse(this.#parts.store.crawler.currentExport()).data;
    if (last?.of !== of || MONTHS.indexOf(last.months) < MONTHS.indexOf(months)) return null;
    const { report } = last;
    await prepareFolders(dir);
    if (!(await areIntact(dir, [{ name: MANIFEST, sha256: last.manifest }, ...report.files]))) return null;
    if (!(await areDatedFilesIntact(dir))) return null;
    return {
      ...report,
      ...{ changed: false, damaged: [], files: report.files.map((file) => ({ ...file, changed: false })) },
    };
  }

  /** Takes the export role, which one process at a time can hold; waits while another process holds it. */
  async #takeRole(signal: AbortSignal): Promise<Disposable> {
    const { settings, store, clock } = this.#parts;
    for (const startedAt = clock(); clock() - startedAt < MAX_WAIT_MS; await delay(RETRY_MS)) {
      const role = store.takeRole('export');
      if (role !== null) return role;
      signal.throwIfAborted();
    }
    throw new ExportBusyError(
      `another process has been exporting this database for two minutes, so ${settings().export.dir} was not written; try again when it has finished`,
    );
  }
}

/** Whether the guard refused an export. Compares the name, because an error from a thread loses its class. */
export function isGuardError(error: unknown): boolean {
  return error instanceof Error && error.name === 'GuardError';
}

export class ExportBusyError extends Error {
  override readonly name = 'ExportBusyError';
  readonly kind = 'failure';
}

const MAX_WAIT_MS = 120_000;
const RETRY_MS = 200;
