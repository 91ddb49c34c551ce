import { rmSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
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
