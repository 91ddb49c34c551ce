import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type ReplayOptions, type ReplayReport, replay } from '../crawl/replay.ts';
import { afterAdded } from '../crawl/schedule/after-added.ts';
import { directoryDifferenceOf } from '../export/diff/directory-difference-of.ts';
import { readDirectories } from '../export/diff/read-directories.ts';
import type { DirectoryDifference } from '../export/schema/directory-difference.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { EpochMs } from '../model/time.ts';
import type { Crawler } from '../service/crawler.ts';
import type { Settings } from '../settings/schema.ts';
import { openStore } from '../store/open-store.ts';
import { connectReadOnlyWhenFree } from '../store/sqlite/sqlite.ts';
import { openReader } from '../store/store-reader.ts';
import type { StoredVisit } from '../store/visits/visit-log.ts';

/** `nextVisitWhy` of a domain that a user added. */
const WHY = 'a user requested a visit';
/** `nextVisitWhy` of a domain whose documents are read differently. */
const REVISIT_WHY = 'newer parsers read its stored documents differently';
const REVISIT_BATCH = 1_000;
/** Interval between checks for visits recorded by another process. */
const POLL_MS = 200;

export interface Added {
  /** Not added, because they have opted out. */
  optedOut: Domain[];
  at: EpochMs;
}

/** Adds domains, due now, and clears their failures. */
export function addDomains(app: Crawler, domains: readonly Domain[]): Added {
  const at = Date.now();
  const { optedOut } = app.store.domains.reactivate(domains, at, (before) => afterAdded(before, at, WHY));
  return { optedOut, at };
}

/**
 * Waits for visits by another process. Returns those that began after a time, as soon as every domain has one, or at the latest
 * after `forMs` or when the signal aborts.
 */
export async function awaitVisits(
  app: Crawler,
  domains: readonly Domain[],
  { after, forMs, signal }: { after: number; forMs: number; signal: AbortSignal },
): Promise<StoredVisit[]> {
  const visits = new Map<Domain, StoredVisit>();
  const until = performance.now() + forMs;
  using reader = app.store.reader();
  for (;;) {
    for (const domain of domains) {
      const [latest] = reader.visits.of(domain);
      if (latest !== undefined && latest.at >= after && !visits.has(domain)) visits.set(domain, latest);
    }
    if (visits.size === domains.length || signal.aborted || performance.now() >= until) return [...visits.values()];
    await delay(POLL_MS);
  }
}

export interface Forgotten {
  forgotten: Domain[];
  /** Domains that had already opted out; there was nothing to purge. */
  already: Domain[];
}

/** Opts domains out and purges their data. The exported files hold them until the next export. */
export async function forgetDomains(app: Crawler, domains: readonly Domain[]): Promise<Forgotten> {
  const already = app.store.optOuts.forget(domains, Date.now());
  const alreadyOptedOut = new Set(already);
  return { forgotten: domains.filter((domain) => !alreadyOptedOut.has(domain)), already };
}

/** Compares two published directories, by default the first with the present. The database, if there is one, is only read: for the reasons. */
export async function diffDirectory(
  settings: Settings,
  directories: Parameters<typeof readDirectories>[1],
): Promise<DirectoryDifference> {
  const { before, after } = await readDirectories(settings.export.dir, directories);
  if (!existsSync(settings.database)) return directoryDifferenceOf(before, after, null);
  using reader = openReader(settings.database, { snapshot: true });
  return directoryDifferenceOf(before, after, reader.domains);
}

/** The result of a replay, with the number of domains that were made due. */
export type ReplayOutcome = ReplayReport & { revisited: number };

/**
 * Runs today's parsers over the stored documents of the database, which a service may be using.
 *
 * @param revisit whether to make the domains due that a new visit may identify differently.
 * @throws {StoreError} when the database does not exist, or cannot be read or written.
 */
export async function replayDatabase(
  settings: Settings,
  { revisit, signal, onDifference }: Pick<ReplayOptions, 'signal' | 'onDifference'> & { revisit: boolean },
): Promise<ReplayOutcome> {
  const { database, softwareId, domains: domainRules } = settings;
  const options = { softwareId, allowSuffixes: domainRules.allowSuffixes, signal, onDifference };
  const { report, domains } = await read();
  if (!revisit || domains.length === 0) return { ...report, revisited: 0 };
  await using store = await openStore({ path: database });
  for (let done = 0; done < domains.length; done += REVISIT_BATCH) {
    const batch = domains.slice(done, done + REVISIT_BATCH);
    store.domains.requestVisit(batch, Date.now(), { why: REVISIT_WHY });
  }
  return { ...report, revisited: domains.length };

  /** The connection is closed before the store writes. */
  async function read() {
    using reader = openReader(database);
    return await replay(reader.visits, options);
  }
}

const BUSY_TIMEOUT_MS = 50;

/**
 * Checks that the database exists, for commands that should not create one at a mistyped path.
 *
 * @throws {StoreError} when the database does not exist or cannot be read.
 */
export async function requireDatabase({ database }: Pick<Settings, 'database'>): Promise<void> {
  const sqlite = await connectReadOnlyWhenFree(database, BUSY_TIMEOUT_MS);
  sqlite.close();
}
