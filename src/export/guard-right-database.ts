import type { StoreReader } from '../store/store-reader.ts';
import { GuardError } from './guard-error.ts';
import type { Published } from './guard-published.ts';
import { isoTime } from './iso-time.ts';

/** By how much files that do not tell their last visit may be newer than that of the database. */
const OLDER_BY_MS = 24 * 3_600_000;

/**
 * Refuses a database that the published files can not have come from. Visits are numbered in the order of recording and no number is
 * used twice: a lower one is an older database, or another, and so is one whose visit of that number is another. A visit that is not
 * there proves nothing: its domain may have been forgotten, or it was thrown away.
 *
 * @throws {GuardError}
 */
export function requireRightDatabase(
  dir: string,
  published: Published,
  database: Pick<StoreReader, 'lastVisit' | 'lastVisitId' | 'visitStartedAt'>,
): void {
  const lastVisit = database.lastVisit();
  const known = published.lastVisit;
  const refuse = (what: string, cure: string): never => {
    const own = lastVisit === null ? 'it has no visit' : `its last visit is of ${isoTime(lastVisit.at)}`;
    const theirs =
      known == null ? `they were made at ${published.generatedAt ?? 'a time unknown'}` : `they know one of ${known.at}`;
    throw new GuardError(dir, `the database ${what} (${own}, ${theirs})`, cure);
  };
  const isOlder =
    known === undefined
      ? published.instances.size > 0 && (lastVisit === null || lastVisit.at < timeOf(published) - OLDER_BY_MS)
      : // The numbers that were given never go down, even when every visit of the database was forgotten.
        known !== null && database.lastVisitId() < known.id;
  if (isOlder) refuse('is older than they are', 'put the newer database back');
  if (known == null) return;
  const same = database.visitStartedAt(known.id);
  if (same !== null && isoTime(same) !== known.at) {
    refuse(
      `is not the one that they were made from: its visit ${known.id} is of ${isoTime(same)}`,
      'put that database back',
    );
  }
}

function timeOf({ generatedAt }: Published): number {
  return generatedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(generatedAt);
}
