import { resolve } from 'node:path';
import { createCompiler } from './compiler.ts';
import { createDomainEntry } from './enter-domains.ts';
import { createDocumentKeeper } from './keep-document.ts';
import { createLeases } from './lease-domains.ts';
import { createLookUp } from './look-up.ts';
import { createLostLeases } from './lost-leases.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { openReader } from './open-reader.ts';
import { ifDead, knownOwners, type OwnerLock, takeOwnerLock } from './owner-lock.ts';
import { createVisitRecorder } from './record-visits.ts';
import { connect, connectReadOnly, opening, type Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';
import { StoreError } from './store-error.ts';
import { working } from './to-store-error.ts';

export interface StoreOptions {
  path: string;
  /** The clock that leases of dead owners are taken back by, in epoch milliseconds. */
  now?: () => number;
  /** How long a lease lasts without being renewed. */
  leaseMs?: number;
  /** Only reads: the database must exist, nothing is migrated, and methods that write throw. */
  readOnly?: boolean;
  /** How long a statement waits, blocking the thread, for another process's short transaction. */
  busyTimeoutMs?: number;
}

/**
 * Opens the database at `path`, creating it with its folder unless `readOnly`; brings it up to date, becomes an owner of
 * leases and takes back those of owners that died.
 * @throws StoreError when the path is unusable, is not Loopscout's database, or is a newer Loopscout's
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { now = Date.now, leaseMs = 120_000, readOnly = false, busyTimeoutMs = 5_000 } = options;
  const path = resolve(options.path);
  const sqlite = readOnly ? connectReadOnly(path, busyTimeoutMs) : await connect(path, busyTimeoutMs);
  return opening(path, async () => {
    let lock: OwnerLock | null = null;
    try {
      if (readOnly) requireMigrated(sqlite, path, migrations);
      else {
        await migrate(sqlite, path, migrations);
        lock = takeOwnerLock(path);
      }
      return createStore({ sqlite, path, lock, leaseMs, busyTimeoutMs, openedAt: now() });
    } catch (error) {
      sqlite.close();
      lock?.release();
      throw error;
    }
  });
}

interface Opened {
  sqlite: Sqlite;
  path: string;
  /** Null when the store only reads. */
  lock: OwnerLock | null;
  leaseMs: number;
  busyTimeoutMs: number;
  openedAt: number;
}

function createStore({ sqlite, path, lock, leaseMs, busyTimeoutMs, openedAt }: Opened): Store {
  const db = createCompiler();
  const owner = lock?.owner ?? 'reader';
  const lostLeases = createLostLeases(sqlite, db);
  const leases = createLeases(sqlite, db, { owner, leaseMs, lostLeases });
  const entry = createDomainEntry(sqlite, db);
  const record = createVisitRecorder(sqlite, db, { owner, keepDocument: createDocumentKeeper(sqlite, db) });

  const lookUp = createLookUp(sqlite, db);

  let reclaimed = 0;
  if (lock !== null) {
    const others = new Set([...lostLeases.owners(), ...knownOwners(path)]);
    others.delete(owner);
    for (const other of others) {
      ifDead(path, other, () => {
        reclaimed += lostLeases.takeBackOf(other, openedAt);
      });
    }
  }

  const writing = <Result>(work: () => Result): Result => {
    if (lock === null) throw new StoreError('read-only', path, 'was opened only to be read; open it for writing');
    return working(path, work);
  };
  return {
    reclaimed,
    enter: (domains, at) => writing(() => entry.enter(domains, at)),
    enterFound: (domains, at, mostKnown) => writing(() => entry.enterFound(domains, at, mostKnown)),
    requestVisit: (domains, at, why) => writing(() => entry.requestVisit(domains, at, why)),
    lease: (limit, at, only) => writing(() => leases.lease(limit, at, only)),
    renew: (at) => writing(() => leases.renew(at)),
    release: (domains) => writing(() => leases.release(domains)),
    record: (results) => writing(() => record(results)),
    nextLostLease: (at, only) => working(path, () => leases.nextLostLease(at, only)),
    keptRobots: (domain) => working(path, () => lookUp.robots(domain)),
    aliasOf: (domain) => working(path, () => lookUp.aliasOf(domain)),
    reader: (readerOptions) => openReader(path, { busyTimeoutMs, ...readerOptions }),
    async [Symbol.asyncDispose]() {
      if (!sqlite.open) return;
      try {
        if (lock !== null) leases.releaseAll();
      } catch {
        // A disk that is full must not hide why the store is being closed; the next to open it takes the leases back.
      } finally {
        sqlite.close();
        lock?.release();
      }
    },
  };
}
