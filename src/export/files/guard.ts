import type { Domain } from '../../model/domain/domain.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { isoTime } from '../../views/formatting.ts';
import { movedTo } from '../diff/moved-to.ts';
import type { Departure } from '../schema/manifest.ts';
import { type Published, readPublished } from './guard-published.ts';

/** An export that was kept back; the published files are as they were. The message is one sentence: what would have been published, and the cure. */
export class GuardError extends Error {
  override readonly name = 'GuardError';
  readonly kind = 'failure';
  /** The export folder. */
  readonly dir: string;

  /** `why` completes "The files in DIR were kept as they were: ...". */
  constructor(dir: string, why: string, cure: string) {
    super(`The files in ${dir} were kept as they were: ${why}; ${cure}, or publish all the same with export --force.`);
    this.dir = dir;
  }
}

/** What is asked of the database that is exported. */
type GuardedDatabase = Pick<
  StoreReader,
  'lastVisit' | 'lastVisitId' | 'offlineSince' | 'visitStartedAt' | 'listingOf' | 'find'
>;

interface GuardOptions {
  /** The export folder. */
  dir: string;
  /** Of the moment that is to be published. */
  database: GuardedDatabase;
  /** The time that the files will tell, epoch milliseconds. */
  at: number;
  /** The largest part of the listed instances that may disappear, at once or within a day, in percent. */
  maxDropPercent: number;
}

/** What disappeared in this time before counts with what would disappear now. */
const REMEMBERED_MS = 24 * 3_600_000;

/**
 * Keeps a bad run from taking the directory away: one from a database that is older than what was published, one after a time offline
 * with no visit answered since, and one in which too many listed instances would disappear, with those that disappeared within the last
 * day. The loss of a single one is never too much. Where nothing was published, nothing is kept back.
 *
 * @returns what the manifest is to tell of those that disappeared, for the next time.
 * @throws {GuardError}
 */
export async function guardPublished({ dir, database, at, maxDropPercent }: GuardOptions): Promise<Departure[]> {
  const published = await readPublished(dir);
  if (published === null) return [];
  requireRightDatabase(dir, published, database);
  const offlineSince = database.offlineSince();
  if (offlineSince !== null) {
    throw new GuardError(
      dir,
      `we were offline at ${isoTime(offlineSince)}, and no visit was answered since`,
      'crawl again when we are online',
    );
  }
  const leaving = [...published.instances].filter((domain) => isLeaving(domain, database));
  const departed = departedBefore(published, at).filter(({ domain }) => isLeaving(domain, database));
  const lost = [...leaving, ...departed.map(({ domain }) => domain)].filter((domain) => isLost(domain, database));
  const most = published.instances.size + departed.length;
  const percent = (lost.length / most) * 100;
  if (lost.length > 1 && percent > maxDropPercent) {
    const when = departed.length === 0 ? 'would disappear' : 'would have disappeared within 24 hours';
    throw new GuardError(
      dir,
      `${lost.length} of ${most} listed instances ${when}, ${percent.toFixed(1)} % where export.maxDropPercent allows ${maxDropPercent}`,
      'find out why (explain DOMAIN tells it of each)',
    );
  }
  return [...departed, ...leaving.map((domain) => ({ domain, at: isoTime(at) }))]
    .filter(({ domain }) => isLost(domain, database) && database.find(domain)?.host.noindex !== true)
    .sort((one, other) => (one.domain < other.domain ? -1 : 1));
}

type Departed = { domain: Domain; at: string };

/** Those of the last day that were not published again. A time ahead is that of a clock that was put right. */
function departedBefore({ departed, instances }: Published, at: number): Departed[] {
  return departed.filter((one) => !instances.has(one.domain) && Math.abs(at - Date.parse(one.at)) < REMEMBERED_MS);
}

function isLeaving(domain: Domain, database: GuardedDatabase): boolean {
  return database.listingOf(domain)?.listed !== true;
}

/** Whether an instance that leaves the directory has neither asked for that nor moved to another name. */
function isLost(domain: Domain, database: GuardedDatabase): boolean {
  const listing = database.listingOf(domain);
  if (listing !== null && !listing.listed && listing.because === 'opted-out') return false;
  return movedTo(domain, database) === null;
}

/** By how much files that do not tell their last visit may be newer than that of the database. */
const OLDER_BY_MS = 24 * 3_600_000;

/**
 * Refuses a database that the published files can not have come from. Visits are numbered in the order of recording and no number is
 * used twice: a lower one is an older database, or another, and so is one whose visit of that number is another. A visit that is not
 * there proves nothing: its domain may have been forgotten, or it was thrown away.
 *
 * @throws {GuardError}
 */
function requireRightDatabase(
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
