import type { Months } from '../../export/bulk/stage-months.ts';
import { type ExportReport, exportAll } from '../../export/export-all.ts';
import { guardPublished } from '../../export/files/guard.ts';
import { openStore } from '../../store/open-store.ts';
import { VERSION } from '../../version.ts';
import { sourceOf } from '../../views/export-source.ts';

const DAY_MS = 86_400_000;

export interface ExportInput {
  database: string;
  dir: string;
  /** The time that the datasets are of, milliseconds since the epoch. */
  at: number;
  flags: { crowdedFrom: number; staleDays: number };
  /** Whose export it is: the address that the crawler names as its own. */
  contact: string;
  /** How long visits are kept. */
  visitsDays: number;
  /** Which months of visits and usage are written. */
  months: Months;
  /** What more would make disappear is kept back, in percent. */
  maxDropPercent: number;
  /** Publishes what would be kept back. */
  force: boolean;
}

/**
 * Writes the datasets of a database, unless the guard keeps them back.
 *
 * @throws {GuardError} when they are kept back.
 * @throws {ExportError} when a file cannot be written.
 */
export async function writeDatasets(input: ExportInput, signal: AbortSignal): Promise<ExportReport> {
  const { database, dir, at, flags, contact, visitsDays, months, maxDropPercent, force } = input;
  await using store = await openStore({ path: database, readOnly: true });
  using reader = store.reader({ snapshot: true, flags });
  const lastVisit = reader.lastVisit();
  // What was recorded meanwhile is in it as well: as of this time, the same is rebuilt from the history.
  const taken = Math.max(at, lastVisit?.recordedAt ?? at);
  const departed = force ? [] : await guardPublished({ dir, database: reader, at: taken, maxDropPercent });
  const source = sourceOf(reader, { at: taken, visitsKeptSince: taken - visitsDays * DAY_MS });
  const now = () => taken;
  return await exportAll({ source, dir, now, toolVersion: VERSION, contact, lastVisit, months, departed, signal });
}
