import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { directoryDifferenceOf } from '../export/diff/directory-difference-of.ts';
import { readDirectories } from '../export/diff/read-directories.ts';
import type { DirectoryDifference } from '../export/schema/directory-difference.ts';
import type { Domain } from '../model/domain/domain.ts';
import { type ReplayOptions, type ReplayReport, replay } from '../replay/replay.ts';
import { afterAdded } from '../schedule/after-added.ts';
import type { Settings } from '../settings/schema.ts';
import { openReader } from '../store/open-reader.ts';
import { openStore } from '../store/open-store.ts';
import { retryWhileLocked } from '../store/sqlite/retry-while-locked.ts';
import { connectReadOnlyWhenFree } from '../store/sqlite/sqlite.ts';
import type { Store } from '../store/store.ts';
import type { StoredVisit } from '../store/store-reader.ts';
import type { App } from './app.ts';

export { directoryDifferenceText } from '../export/diff/directory-difference-text.ts';
export { ExportError } from '../export/export-error.ts';
export type { DirectoryDifference } from '../export/schema/directory-difference.ts';
export type { ReplayDifference, ReplayReport } from '../replay/replay.ts';

/** `nextVisitWhy` of a domain that a user added. */
const WHY = 'a user requested a visit';
/** Interval between checks for visits recorded by another process. */
const POLL_MS = 200;

export interface Added {
  /** Not added, because they have opted out. */
  optedOut: Domain[];
  /** Not changed, because they are being visited. */
  leased: Domain[];
  /** Id of the last visit before the domains were added. */
  lastVisitId: number;
}

/** Adds domains, due now, and clears their failures. */
export async function addDomains(app: App, domains: readonly Domain[], signal: AbortSignal): Promise<Added> {
  const at = Date.now();
  using reader = app.store.reader();
  const lastVisitId = reader.lastVisitId();
  const reactivate = () => app.store.reactivate(domains, at, (before) => afterAdded(before, at, WHY));
  return { ...(await retryWhileLocked(reactivate, { signal })), lastVisitId };
}

/**
 * Waits for visits by another process. Returns those recorded after `lastVisitId`, as soon as every domain has one, or at the latest
 * after `forMs` or when the signal aborts.
 */
export async function awaitVisits(
  app: App,
  domains: readonly Domain[],
  { lastVisitId, forMs, signal }: { lastVisitId: number; forMs: number; signal: AbortSignal },
): Promise<StoredVisit[]> {
  const visits = new Map<Domain, StoredVisit>();
  const until = performance.now() + forMs;
  using reader = app.store.reader();
  for (;;) {
    for (const domain of domains) {
      const [latest] = reader.visitsOf(domain);
      if (latest !== undefined && latest.id > lastVisitId && !visits.has(domain)) visits.set(domain, latest);
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
export async function forgetDomains(app: App, domains: readonly Domain[]): Promise<Forgotten> {
  const { already } = await retryWhileLocked(() => app.store.forget(domains, Date.now()));
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
  return directoryDifferenceOf(before, after, reader);
}

/**
 * Replays the database of the settings, which a service may be using. Writes only with `apply`.
 *
 * @throws {StoreError} when the database does not exist, or cannot be read or written.
 */
export async function replayDatabase(settings: Settings, options: ReplayOptions): Promise<ReplayReport> {
  const { database, softwareId, cadence, domains, flags } = settings;
  const run = (store: Pick<Store, 'reader' | 'correct'>) =>
    replay(
      {
        store,
        softwareId,
        allowSuffixes: domains.allowSuffixes,
        policy: cadence,
        now: Date.now,
        clock: () => performance.now(),
        random: Math.random,
      },
      options,
    );
  const read: Store['reader'] = (readerOptions) => openReader(database, { flags, ...readerOptions });
  // Opening the store would create a missing database; reading reports that it is missing.
  if (!options.apply || !existsSync(database)) return run({ reader: read, correct: () => false });
  await using store = await openStore({ path: database, now: Date.now });
  // `await`, because the store is closed when this function returns.
  return await run({ reader: read, correct: store.correct });
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
