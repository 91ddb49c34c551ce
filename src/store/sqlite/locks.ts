import SqliteDatabase from 'better-sqlite3';
import { isBusy } from './sqlite.ts';

/** A job that only one process at a time does: crawl, or write the export folder. */
export type Role = 'crawl' | 'export';

/**
 * Takes a role on a database by locking a file next to it, an empty database with SQLite's exclusive lock (fcntl or LockFileEx); the
 * operating system frees the lock when the process dies. Null when another connection has the role. The file is never removed: otherwise one
 * process could lock the removed file, which it had opened before, while another locks the new one. Nothing else may open the file: when a
 * process closes a file, POSIX frees all locks of the process on it.
 *
 * @param path the {@link realPath} of the database, so that all its names share the role.
 */
export function takeRole(path: string, role: Role): Disposable | null {
  const lock = new SqliteDatabase(`${path}.role-${role}`, { timeout: 0 });
  try {
    lock.pragma('journal_mode = memory');
    lock.exec('begin exclusive');
    return { [Symbol.dispose]: () => lock.close() };
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
}
