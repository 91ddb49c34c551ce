import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { directoryDifferenceOf } from '../export/diff/directory-difference-of.ts';
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
export type { DirectoryDifference } from '../export/schema/directory-difference.ts';
export type { ReplayDifference, ReplayReport } from '../replay/replay.ts';

/** Why a visit is due that a person asked for. */
const WHY = 'asked for by name';
/** How often it is looked whether another process has recorded its visit. */
const LOOK_EVERY_MS = 200;

export interface Added {
  /** Left alone, since their owners opted out. */
  optedOut: Domain[];
  /** Being visited by another process right now, and left to it. */
  leased: Domain[];
  /** The last visit recorded by then: what is newer came after. */
  lastVisitId: number;
}

/** Enters domains, due now; what failed before counts no more. */
export async function addDomains(app: App, domains: readonly Domain[], signal: AbortSignal): Promise<Added> {
  const at = Date.now();
  using reader = app.store.reader();
  const lastVisitId = reader.lastVisitId();
  const reactivate = () => app.store.reactivate(domains, at, (before) => afterAdded(before, at, WHY));
  return { ...(await retryWhileLocked(reactivate, { signal })), lastVisitId };
}

/**
 * Waits for visits that another process makes; answers those recorded after `lastVisitId` by the time that all are, or `forMs` is
 * over, or the signal aborts.
 */
export async function awaitVisits(
  app: App,
  domains: readonly Domain[],
  { lastVisitId, forMs, signal }: { lastVisitId: number; forMs: number; signal: AbortSignal },
): Promise<StoredVisit[]> {
  const found = new Map<Domain, StoredVisit>();
  const until = performance.now() + forMs;
  using reader = app.store.reader();
  for (;;) {
    for (const domain of domains) {
      const [latest] = reader.visitsOf(domain);
      if (latest !== undefined && latest.id > lastVisitId && !found.has(domain)) found.set(domain, latest);
    }
    if (found.size === domains.length || signal.aborted || performance.now() >= until) return [...found.values()];
    await delay(LOOK_EVERY_MS);
  }
}

export interface Forgotten {
  forgotten: Domain[];
  /** Those that had opted out before; nothing was left of them to purge. */
  already: Domain[];
}

/** Opts domains out for good and purges what is stored of them. The exported files hold them until the next export that is published. */
export async function forgetDomains(app: App, domains: readonly Domain[]): Promise<Forgotten> {
  const { already } = await retryWhileLocked(() => app.store.forget(domains, Date.now()));
  const before = new Set(already);
  return { forgotten: domains.filter((domain) => !before.has(domain)), already };
}

/** A time of the directory, epoch milliseconds; null: as it is now. */
export type DirectoryTime = number | null;

/**
 * What changed in the directory between two times, each read through a snapshot of its own; the database is only read.
 *
 * @throws {AsOfError} when one of them cannot be told.
 */
export async function diffDirectory(
  settings: Settings,
  { from, to, now }: { from: DirectoryTime; to: DirectoryTime; now: number },
): Promise<DirectoryDifference> {
  await using store = await openStore({ path: settings.database, readOnly: true });
  const readerAt = (at: DirectoryTime) =>
    store.reader({ flags: settings.flags, ...(at === null ? { snapshot: true } : { asOf: { at, everLoops: true } }) });
  using before = readerAt(from);
  using after = readerAt(to);
  const directory = (reader: typeof before, at: DirectoryTime) => ({
    at: at ?? now,
    instances: reader.instances(at ?? now),
  });
  return directoryDifferenceOf(directory(before, from), directory(after, to), after);
}

/**
 * Replays the database of the settings, in which a service may be at work. Unless it is to be applied, nothing is written.
 *
 * @throws {StoreError} when there is no database yet, or it cannot be read or written.
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
  // To open a store would make a database where there is none; to read says that there is none.
  if (!options.apply || !existsSync(database)) return run({ reader: read, correct: () => false });
  await using store = await openStore({ path: database, now: Date.now });
  // Awaited here: the store is closed as soon as this function has returned.
  return await run({ reader: read, correct: store.correct });
}

const BUSY_TIMEOUT_MS = 50;

/**
 * To be called by what makes no sense on a database that a mistyped path would create.
 *
 * @throws {StoreError} when `database` names none.
 */
export async function requireDatabase({ database }: Pick<Settings, 'database'>): Promise<void> {
  const sqlite = await connectReadOnlyWhenFree(database, BUSY_TIMEOUT_MS);
  sqlite.close();
}
