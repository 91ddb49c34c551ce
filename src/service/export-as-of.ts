import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ExportReport, exportAll } from '../export/export-all.ts';
import type { Settings } from '../settings/schema.ts';
import { openStore } from '../store/open-store.ts';
import { VERSION } from '../version.ts';
import { createExportSource } from '../views/export-source.ts';
import { takeExportRole } from './publishing.ts';

/** Re-exported for the command `export`. */
export { ExportError } from '../export/export-error.ts';

const DAY_MS = 86_400_000;

export interface ExportAsOfOptions {
  /** The past time, in milliseconds since the epoch. */
  at: number;
  dir: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  signal?: AbortSignal;
}

/**
 * Writes every dataset as of a past time, which becomes `generatedAt` in every file. The database is only read.
 *
 * @throws {AsOfError} when the database has no data for that time.
 * @throws {ExportBusyError} when another process is still exporting after two minutes.
 */
export async function exportAsOf(settings: Settings, options: ExportAsOfOptions): Promise<ExportReport> {
  const { at, dir, now, signal = new AbortController().signal } = options;
  await using store = await openStore({ path: settings.database, readOnly: true });
  using _role = await takeExportRole(store, { dir, clock: () => performance.now(), signal });
  using reader = store.reader({ flags: settings.flags, asOf: { at } });
  const visitsKeptSince = now() - settings.retention.visitsDays * DAY_MS;
  return await exportAll({
    source: createExportSource(reader, { at, visitsKeptSince }),
    dir,
    now: () => at,
    toolVersion: VERSION,
    contact: settings.contact,
    lastVisit: reader.lastVisit(),
    isPast: true,
    signal,
  });
}

/** Whether a folder is `export.dir`; symbolic links are resolved. */
export function isExportFolder(settings: Settings, dir: string): boolean {
  return realPath(dir) === realPath(settings.export.dir);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
