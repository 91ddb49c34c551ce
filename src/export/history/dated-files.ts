import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the dated files in the export folder. */
export const HISTORY = 'history';

const DATED_FILE = /^(\d{4}-\d\d-\d\d)\.json\.gz$/;

/** Path of the dated file of a day (`YYYY-MM-DD`), relative to the export folder. */
export function datedFileName(date: string): string {
  return `${HISTORY}/${date}.json.gz`;
}

/** Whether a path relative to the export folder is that of a dated file. */
export function isDatedFile(name: string): boolean {
  return name.startsWith(`${HISTORY}/`) && DATED_FILE.test(name.slice(HISTORY.length + 1));
}

/** The days of the dated files in an export folder, ascending. */
export function datesIn(dir: string): string[] {
  try {
    return readdirSync(join(dir, HISTORY))
      .flatMap((name) => DATED_FILE.exec(name)?.[1] ?? [])
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A day that has no dated file; the message names the nearest days that have one. */
class NoDatedFileError extends Error {
  override readonly name = 'NoDatedFileError';
  readonly kind = 'setting';
}

/**
 * Finds the dated file of a day (`YYYY-MM-DD`) in an export folder.
 *
 * @throws {NoDatedFileError}
 */
export function findDatedFile(dir: string, date: string): string {
  const dates = datesIn(dir);
  if (dates.includes(date)) return join(dir, datedFileName(date));
  const nearest = [dates.findLast((one) => one < date), dates.find((one) => one > date)].filter(Boolean);
  const cure =
    nearest.length === 0
      ? `${join(dir, HISTORY)} has no dated files yet; the first export of each day writes one`
      : `name ${nearest.join(' or ')}, the nearest in ${join(dir, HISTORY)}`;
  throw new NoDatedFileError(`there is no dated file of ${date}; ${cure}`);
}
