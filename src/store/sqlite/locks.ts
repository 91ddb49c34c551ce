import SqliteDatabase from 'better-sqlite3';
import { isBusy } from './sqlite.ts';

/** A job that only one process at a time does: crawl, or write the export folder. */
export type Role = 'crawl' | 'export';

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
