import type { Domain } from '../../model/domain/domain.ts';
import { DAY_MS, type EpochMs, isoTime } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { movedTo } from '../diff/moved-to.ts';
import type { Departure } from '../schema/manifest.ts';
import { type Published, readPublished } from './guard-published.ts';

/** A refused export; the published files are unchanged. The message is one sentence: the problem and the cure. */
export class GuardError extends Error {
  override readonly name = 'GuardError';
  readonly kind = 'failure';
  /** The export folder. */
  readonly dir: string;

  /** @param why completes "The files in DIR were kept as they were: ...". */
  constructor(dir: string, why: string, cure: string) {
    super(`The files in ${dir} were kept as they were: ${why}; ${cure}, or publish anyway with export --force.`);
    this.dir = dir;
  }
}

interface GuardOptions {
  /** The export folder. */
  dir: string;
  /** A snapshot of the data to publish. */
  database: StoreReader;
  /** Time of the export. */
  at: EpochMs;
  /** Maximum percentage of the listed instances that may disappear, at once or within a day. */
  maxDropPercent: number;
}

/** Instances that departed within this time before the export count towards the limit too. */
const DEPARTURE_PERIOD_MS = DAY_MS;

/**
 * Prevents a bad run from emptying the directory. Refuses an export when the database is older than the published files or another one,
 * when no visit has succeeded since an offline period, or when too many listed instances would disappear, counted over the last day. The
 * loss of a single instance in that day is always allowed. The first export is never refused.
 *
 * @returns the recently departed instances, for the manifest.
 * @throws {GuardError}
 */
export async function guardPublished({ dir, database, at, maxDropPercent }: GuardOptions): Promise<Departure[]> {
  const published = await readPublished(dir);
  if (published === null) return [];
  requireRightDatabase(dir, published, database);
  const offlineSince = database.crawler.offlineSince();
  if (offlineSince !== null) {
    throw new GuardError(
      dir,
      `the crawler was offline at ${isoTime(offlineSince)}, and no visit has succeeded since`,
      'crawl again when the network is back',
    );
  }
  const leaving = [...published.instances].filter((domain) => isLeaving(domain, database));
  const departed = recentDepartures(published, at).filter(({ domain }) => isLeaving(domain, database));
  const lost = [...leaving, ...departed.map(({ domain }) => domain)].filter((domain) => isLost(domain, database));
  const total = published.instances.size + departed.length;
  const percent = (lost.length / total) * 100;
  // Files without an instance lose none; a full disk may have cost them theirs.
  if (published.instances.size > 0 && lost.length > 1 && percent > maxDropPercent) {
    const when = departed.length === 0 ? 'would disappear' : 'would have disappeared within 24 hours';
    throw new GuardError(
      dir,
      `${lost.length} of ${total} listed instances ${when}, ${percent.toFixed(1)} %, more than the ${maxDropPercent} % that export.maxDropPercent allows`,
      'find out why (see explain DOMAIN)',
    );
  }
  return [...departed, ...leaving.map((domain) => ({ domain, at: isoTime(at) }))]
    .filter(({ domain }) => isLost(domain, database) && database.domains.find(domain)?.host.noindex !== true)
    .sort((one, other) => (one.domain < other.domain ? -1 : 1));
}

type Departed = { domain: Domain; at: string };

/** Instances that departed within the last day and were not published again. `Math.abs`: a time written while the clock was ahead lies in the future. */
function recentDepartures({ departed, instances }: Published, at: number): Departed[] {
  return departed.filter(
    (one) => !instances.has(one.domain) && Math.abs(at - Date.parse(one.at)) < DEPARTURE_PERIOD_MS,
  );
}

function isLeaving(domain: Domain, database: StoreReader): boolean {
  return database.domains.listingOf(domain)?.listed !== true;
}

/** Whether a departing instance has neither opted out nor moved to another domain. */
function isLost(domain: Domain, database: StoreReader): boolean {
  const listing = database.domains.listingOf(domain);
  if (listing !== null && !listing.listed && listing.because === 'opted-out') return false;
  return movedTo(domain, database.domains) === null;
}

/** Tolerance for published files that name no last visit: their time is compared instead. */
const TOLERANCE_MS = DAY_MS;

/**
 * Refuses a database from which the published files cannot have been made. Visits are numbered in the order of recording and numbers are
 * never reused: a lower last number, or a different visit under the same number, means an older or different database. A missing visit
 * proves nothing: it may have been deleted, or its domain forgotten.
 *
 * @throws {GuardError}
 */
function requireRightDatabase(dir: string, published: Published, database: StoreReader): void {
  const lastVisit = database.visits.last();
  // Undefined: the files state no last visit. Null: they state that there was none.
  const publishedVisit = published.lastVisit;
  const refuse = (what: string, cure: string): never => {
    const databaseText = lastVisit === null ? 'it has no visit' : `its last visit was on ${isoTime(lastVisit.at)}`;
    const filesText =
      publishedVisit == null
        ? `the files were made at ${published.generatedAt ?? 'an unknown time'}`
        : `the last visit in the files was on ${publishedVisit.at}`;
    throw new GuardError(dir, `the database ${what} (${databaseText}, ${filesText})`, cure);
  };
  const isOlder =
    publishedVisit === undefined
      ? published.instances.size > 0 && (lastVisit === null || lastVisit.at < timeOf(published) - TOLERANCE_MS)
      : // The number of the last visit never decreases, even when every visit was deleted.
        publishedVisit !== null && database.visits.lastId() < publishedVisit.id;
  if (isOlder) refuse('is older than they are', 'put the newer database back');
  if (publishedVisit == null) return;
  const startedAt = database.visits.startOf(publishedVisit.id);
  if (startedAt !== null && isoTime(startedAt) !== publishedVisit.at) {
    refuse(
      `is not the one that they were made from: its visit ${publishedVisit.id} was on ${isoTime(startedAt)}`,
      'put that database back',
    );
  }
}

function timeOf({ generatedAt }: Published): number {
  return generatedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(generatedAt);
}
