import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Role } from '../store.ts';
import { isBusy } from './sqlite.ts';

/** An open database that holds SQLite's exclusive lock (fcntl or LockFileEx) and is never written. */
export type LockFile = SqliteDatabase.Database;

/**
 * Locks a file until it is closed or the process dies; null when another connection has it, or when it is not there and not to be
 * created. Nothing else may open the file: POSIX frees every lock of a process on a file when it closes that file once.
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

/**
 * Removes the file before the lock on it is freed, so that nobody can lock a file that is about to go. Where it cannot be removed, it
 * stays and is locked by nobody, as after the death of its process.
 */
export function removeLocked(file: string, lock: LockFile): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder has been made read-only meanwhile.
  } finally {
    lock.close();
  }
}

/** Proof that an owner of leases is alive: a file lock that the operating system frees when its process dies. */
export interface OwnerLock {
  readonly owner: string;
  /** Gives up the lock and removes its file. The owner must hold no lease any more. */
  release(): void;
}

/** Becomes a new owner of leases on the database at `path`. */
export function takeOwnerLock(path: string): OwnerLock {
  for (;;) {
    const owner = randomUUID();
    const file = lockFile(path, owner);
    const lock = lockExclusively(file, { create: true });
    if (lock === null) continue;
    // Between its creation and its locking, a sweep may have taken the file for a dead owner's.
    if (existsSync(file)) return { owner, release: () => removeLocked(file, lock) };
    lock.close();
  }
}

/**
 * If the owner is dead, runs `reclaim` while no other process can do the same, removes its lock file and answers true.
 * An owner without a file is dead: the file is there before the first lease and goes after the last.
 */
export function ifDead(path: string, owner: string, reclaim: () => void): boolean {
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

/** Whether an owner is dead, for who must not change anything; false when that can not be told. */
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

/** The owners that have a lock file, dead or alive. */
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
 * Takes a role on a database by locking a file beside it; the operating system frees the lock when the process dies. Null when another
 * connection has the role. The file stays: a removed file could be locked by a process that opened it before, beside its successor.
 *
 * @param path the {@link realPath} of the database, or two of its names would give two roles.
 */
export function takeRole(path: string, role: Role): Disposable | null {
  const lock = lockExclusively(`${path}.role-${role}`, { create: true });
  return lock === null ? null : { [Symbol.dispose]: () => lock.close() };
}
