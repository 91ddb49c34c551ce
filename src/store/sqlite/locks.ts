import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Role } from '../store.ts';
import { isBusy } from './sqlite.ts';

/** An open, empty database that holds SQLite's exclusive lock (fcntl or LockFileEx). */
export type LockFile = SqliteDatabase.Database;

/**
 * Locks a file until it is closed or the process dies. Null when another connection holds the lock, or when the file does not exist and
 * `create` is false. Nothing else may open the file: when a process closes a file, POSIX frees all locks of the process on it.
 */
export function lockExclusively(file: string, { create }: { create: boolean }): LockFile | null {
  let lock: LockFile;
  try {
    lock = new SqliteDatabase(file, { timeout: 0, fileMustExist: !create });
  } catch (error) {
    if (create) throw error;
    return null;
  }
  try {
    lock.pragma('journal_mode = memory');
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** Removes the file before freeing its lock, so that no other process can lock a file that is about to be removed. */
export function removeLocked(file: string, lock: LockFile): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Not removable: the unlocked file stays, as after the death of its process.
  } finally {
    lock.close();
  }
}

/** Proves that a lease owner is alive: a file lock that the operating system frees when its process dies. */
export interface OwnerLock {
  readonly owner: string;
  /** Frees the lock and removes its file. The owner must have released all leases. */
  release(): void;
}

/** Creates a new lease owner for the database at `path`. */
export function takeOwnerLock(path: string): OwnerLock {
  for (;;) {
    const owner = randomUUID();
    const file = lockFile(path, owner);
    const lock = lockExclusively(file, { create: true });
    if (lock === null) continue;
    // Another process may have removed the file between its creation and its locking, believing its owner dead.
    if (existsSync(file)) return { owner, release: () => removeLocked(file, lock) };
    lock.close();
  }
}

/**
 * If the owner is dead, runs `reclaim` under its lock, removes its lock file and returns true. An owner without a file is dead, because the
 * file exists before its first lease and until after its last.
 */
export function reclaimIfDead(path: string, owner: string, reclaim: () => void): boolean {
  const file = lockFile(path, owner);
  if (!existsSync(file)) {
    reclaim();
    return true;
  }
  const lock = lockExclusively(file, { create: false });
  if (lock === null) return false;
  try {
    reclaim();
  } finally {
    removeLocked(file, lock);
  }
  return true;
}

/** Whether an owner is dead, for read-only connections; false when that cannot be determined. */
export function isDead(path: string, owner: string): boolean {
  const file = lockFile(path, owner);
  if (!existsSync(file)) return true;
  try {
    const lock = lockExclusively(file, { create: false });
    lock?.close();
    return lock !== null;
  } catch {
    return false;
  }
}

/** The owners that have a lock file, dead or alive; their ids are UUIDs. */
export function knownOwners(path: string): string[] {
  const prefix = basename(lockFile(path, ''));
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((owner) => /^[0-9a-f-]{36}$/.test(owner));
}

function lockFile(path: string, owner: string): string {
  return join(dirname(path), `${basename(path)}.owner-${owner}`);
}

/**
 * Takes a role on a database by locking a file next to it; the operating system frees the lock when the process dies. Null when another
 * connection has the role. The file is never removed: otherwise one process could lock the removed file, which it had opened before, while
 * another locks the new one.
 *
 * @param path the {@link realPath} of the database, so that all its names share the role.
 */
export function takeRole(path: string, role: Role): Disposable | null {
  const lock = lockExclusively(`${path}.role-${role}`, { create: true });
  return lock === null ? null : { [Symbol.dispose]: () => lock.close() };
}
