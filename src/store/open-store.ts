import { resolve } from 'node:path';
import { createDomainIntake } from './frontier/enter-domains.ts';
import { createSourceEntry } from './frontier/enter-from.ts';
import { createLeases } from './frontier/lease-domains.ts';
import { createLostLeases } from './frontier/lost-leases.ts';
import { createOfflineRecorder } from './frontier/offline.ts';
import { createReactivation } from './frontier/reactivate-domains.ts';
import { createClockRepair } from './frontier/repair-future-timestamps.ts';
import { migrations } from './migrations/index.ts';
import { openReader } from './open-reader.ts';
import { createForgetter } from './opt-outs/forget-domains.ts';
import { createOptOutCache } from './opt-outs/opted-out.ts';
import { createActiveSourceSync, createSkippedSourceRecorder } from './sources/active-sources.ts';
import { createReleaseRecorder } from './sources/releases.ts';
import { createRunStore } from './sources/source-runs.ts';
import { realPath, rememberFile } from './sqlite/database-file.ts';
import { knownOwners, type OwnerLock, reclaimIfDead, takeOwnerLock, takeRole } from './sqlite/locks.ts';
import { migrate, requireMigrated } from './sqlite/migrate.ts';
import { createCompiler } from './sqlite/prepare.ts';
import { connect, connectReadOnlyWhenFree, type Sqlite, whenFree, withOpeningErrors } from './sqlite/sqlite.ts';
import { StoreError, withStoreErrors } from './sqlite/store-error.ts';
import type { Store } from './store.ts';
import { createDocumentWriter } from './visits/documents.ts';
import { createVisitRecorder } from './visits/record-visits.ts';
import { createRobotsAndAliasReader } from './visits/robots-and-alias.ts';
import { createWorkerRecorder } from './workers.ts';

export interface StoreOptions {
  path: string;
  /** Epoch milliseconds. */
  now?: () => number;
  /** How long a lease lasts unless it is renewed. */
  leaseMs?: number;
  /** The database must exist and be up to date; methods that write throw. */
  readOnly?: boolean;
  /**
   * How long a statement may block the thread while another process holds a lock; then it throws StoreError `locked` and can be retried.
   * Opening and closing wait longer, without blocking.
   */
  busyTimeoutMs?: number;
}

/**
 * Opens the database at `path`. Unless `readOnly`, creates it with its folder, migrates it, and reclaims the leases of dead processes.
 *
 * @throws StoreError when the path is unusable, the database belongs to another program, or a newer Loopscout wrote it.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { now = Date.now, leaseMs = 120_000, readOnly = false, busyTimeoutMs = 20 } = options;
  const path = resolve(options.path);
  const sqlite = readOnly ? await connectReadOnlyWhenFree(path, busyTimeoutMs) : await connect(path, busyTimeoutMs);
  return withOpeningErrors(path, async () => {
    // Locks are named after the real path, so that symbolic links to one file share them.
    const lockPath = realPath(path);
    let lock: OwnerLock | null = null;
    try {
      if (readOnly) requireMigrated(sqlite, path, migrations);
      else {
        await migrate(sqlite, path, migrations);
        lock = takeOwnerLock(lockPath);
      }
      const reclaimed = lock === null ? 0 : await reclaimFromDead({ sqlite, lockPath, owner: lock.owner, at: now() });
      return createStore({ sqlite, path, lockPath, lock, leaseMs, busyTimeoutMs, reclaimed });
    } catch (error) {
      sqlite.close();
      lock?.release();
      throw error;
    }
  });
}

/** Minimum time between two checks for new opt-outs, since every request of a visit asks whether its host has opted out. */
const OPT_OUT_CHECK_MS = 10;

interface OpenedDatabase {
  sqlite: Sqlite;
  path: string;
  /** The path that locks are named after. */
  lockPath: string;
  /** Null when the store only reads. */
  lock: OwnerLock | null;
  leaseMs: number;
  busyTimeoutMs: number;
  reclaimed: number;
}

/** Reclaims the leases of dead owners and marks their source runs as broken. Returns the number of leases. */
async function reclaimFromDead({
  sqlite,
  lockPath,
  owner,
  at,
}: Pick<OpenedDatabase, 'sqlite' | 'lockPath'> & { owner: string; at: number }): Promise<number> {
  const lostLeases = createLostLeases(sqlite, createCompiler());
  const optedOut = createOptOutCache(sqlite);
  const runs = createRunStore(sqlite, createCompiler(), { owner, optedOut, reclaimIfDead: () => {} });
  const otherOwners = new Set([...lostLeases.owners(), ...runs.owners(), ...knownOwners(lockPath)]);
  otherOwners.delete(owner);
  let reclaimed = 0;
  for (const other of otherOwners) {
    const reclaim = () => {
      reclaimed += lostLeases.reclaimFrom(other, at);
      runs.breakRunsOf(other, at);
    };
    await whenFree(sqlite, () => reclaimIfDead(lockPath, other, reclaim));
  }
  return reclaimed;
}

function createStore({ sqlite, path, lockPath, lock, leaseMs, busyTimeoutMs, reclaimed }: OpenedDatabase): Store {
  const db = createCompiler();
  const owner = lock?.owner ?? 'reader';
  const lostLeases = createLostLeases(sqlite, db);
  const leases = createLeases(sqlite, db, { owner, leaseMs, lostLeases });
  const optedOut = createOptOutCache(sqlite, OPT_OUT_CHECK_MS);
  const intake = createDomainIntake(sqlite, db, optedOut);
  const runs = createRunStore(sqlite, db, {
    owner,
    optedOut,
    reclaimIfDead: (other, at, then) => {
      reclaimIfDead(lockPath, other, () => {
        lostLeases.reclaimFrom(other, at);
        then();
      });
    },
  });
  const enterFrom = createSourceEntry(sqlite, db, { runs, optedOut });
  const writeDocument = createDocumentWriter(sqlite, db);
  const record = createVisitRecorder(sqlite, db, { owner, writeDocument, optedOut });

  const recordRelease = createReleaseRecorder(sqlite, db);
  const recordOffline = createOfflineRecorder(sqlite, db);
  const recordWorkers = createWorkerRecorder(sqlite, db);
  const recordSkippedSources = createSkippedSourceRecorder(sqlite, db, optedOut);
  const syncActiveSources = createActiveSourceSync(sqlite, db);
  const { cachedRobots, aliasOf } = createRobotsAndAliasReader(sqlite, db);

  const { enter } = intake;
  const reactivate = createReactivation(sqlite, db, { owner, lostLeases, enter, optedOut });
  const forgetter = createForgetter(sqlite, db, optedOut);
  const repairFutureTimestamps = createClockRepair(sqlite, db);
  const isInPlace = rememberFile(path);

  const reading = <Result>(work: () => Result): Result => withStoreErrors(path, work, isInPlace);
  const writing = <Result>(work: () => Result): Result => {
    if (lock === null) throw new StoreError('read-only', path, 'was opened read-only; open it for writing');
    return reading(work);
  };
  return {
    reclaimed,
    enter: (domains, at) => writing(() => enter(domains, at)),
    enterFound: (domains, at, mostPerRegistrable) => writing(() => intake.enterFound(domains, at, mostPerRegistrable)),
    beginRun: (source, at, until) => writing(() => runs.beginRun(source, at, until)),
    enterFrom: (run, candidates, at, limits) => writing(() => enterFrom(run, candidates, at, limits)),
    endRun: (run, end, at) => writing(() => runs.endRun(run, end, at)),
    syncActiveSources: (keys) => writing(() => syncActiveSources(keys)),
    recordSkippedSources: (sources) => writing(() => recordSkippedSources(sources)),
    optedOut: {
      get size() {
        return reading(() => optedOut.size);
      },
      has: (name) => reading(() => optedOut.has(name)),
    },
    requestVisit: (domains, at, why) => writing(() => intake.requestVisit(domains, at, why)),
    reactivate: (domains, at, update) => writing(() => reactivate(domains, at, update)),
    forget: (domains, at) => writing(() => forgetter.forget(domains, at)),
    unpublishedPurge: () => reading(() => forgetter.unpublishedPurge()),
    markPurgePublished: (purge) => writing(() => forgetter.markPurgePublished(purge)),
    lease: (limit, at, only) => writing(() => leases.lease(limit, at, only)),
    holds: (lease) => reading(() => leases.holds(lease)),
    renew: (at) => writing(() => leases.renew(at)),
    release: (domains) => writing(() => leases.release(domains)),
    postpone: (lease, visit) => writing(() => leases.postpone(lease, visit)),
    releaseAll: () => writing(() => leases.releaseAll()),
    abandonLeases: (domains, at) => writing(() => leases.abandonLeases(domains, at)),
    record: (results) => writing(() => record(results)),
    recordRelease: (version, at) => writing(() => recordRelease(version, at)),
    recordOffline: (at) => writing(() => recordOffline(at)),
    recordWorkers: (seen) => writing(() => recordWorkers(seen)),
    nextRetryAfterLostLease: (at, only) => reading(() => leases.nextRetryAfterLostLease(at, only)),
    cachedRobots: (domain) => reading(() => cachedRobots(domain)),
    aliasOf: (domain) => reading(() => aliasOf(domain)),
    repairFutureTimestamps: (at) => writing(() => repairFutureTimestamps(at)),
    isInPlace,
    takeRole: (role) => reading(() => takeRole(lockPath, role)),
    reader: (readerOptions) => openReader(path, { busyTimeoutMs, isInPlace, ...readerOptions }),
    async [Symbol.asyncDispose]() {
      if (!sqlite.open) return;
      try {
        if (lock !== null) await whenFree(sqlite, () => leases.releaseAll());
      } catch {
        // A full disk must not hide the error because of which the store is closed. The next process to open it reclaims the leases.
      } finally {
        sqlite.close();
        lock?.release();
      }
    },
  };
}
