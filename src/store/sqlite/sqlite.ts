import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { makeFolder } from './database-file.ts';
import { StoreError, toStoreError } from './store-error.ts';

export type Sqlite = SqliteDatabase.Database;

/** "Lpsc" in ASCII, in the header of every Loopscout database (SQLite file format, section 1.3.10). */
export const applicationId = 0x4c707363;

/** How long to wait, without blocking the thread, for another process that is creating or migrating the database. */
const openingTimeoutMs = 10_000;
const pauseMs = 20;
/** The write-ahead log is truncated to this size after a checkpoint. */
const journalSizeLimitBytes = 64 * 1024 * 1024;
/** A larger cache saves no time with a million domains, because visits access random pages. */
const cacheKib = 4 * 1024;

/**
 * Opens a connection for writing; creates the folder and the file if missing. Throws StoreError for a file of another program, before
 * changing it.
 *
 * `synchronous` is NORMAL: commits survive any death of the process; a power failure can lose the last commits but does not corrupt the
 * database (https://www.sqlite.org/wal.html#performance_considerations).
 */
export async function connect(path: string, busyTimeoutMs: number): Promise<Sqlite> {
  try {
    makeFolder(dirname(path));
  } catch (cause) {
    const problem = `cannot be created, because its folder cannot be created (${errorCode(cause)})`;
    throw new StoreError('folder-unusable', path, `${problem}; name a folder that this user may write to`, { cause });
  }
  refuseNonFile(path);
  return withOpeningErrors(path, async () => {
    const sqlite = new SqliteDatabase(path, { timeout: busyTimeoutMs });
    try {
      await whenFree(sqlite, () => requireOwnDatabase(sqlite, path));
      await whenFree(sqlite, () => sqlite.pragma('journal_mode = WAL'));
      sqlite.pragma('synchronous = NORMAL');
      sqlite.pragma('foreign_keys = ON');
      // Deleted data is overwritten, so that an opt-out leaves nothing in free pages.
      sqlite.pragma('secure_delete = ON');
      sqlite.pragma(`journal_size_limit = ${journalSizeLimitBytes}`);
      sqlite.pragma(`cache_size = -${cacheKib}`);
      return sqlite;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  });
}

/** Opens an existing database for writing, without a busy time-out: use it with {@link whenFree}. */
export async function connectExisting(path: string): Promise<Sqlite> {
  requireExisting(path);
  return connect(path, 0);
}

export function connectReadOnly(path: string, busyTimeoutMs: number): Sqlite {
  requireExisting(path);
  try {
    const sqlite = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      if (requireOwnDatabase(sqlite, path) === 'empty') {
        throw new StoreError('missing', path, 'is empty; crawl first, or name the database of a crawl');
      }
      return sqlite;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  } catch (error) {
    throw toStoreError(error, path, 'opening');
  }
}

/** Like {@link connectReadOnly}, but waits without blocking while another process creates or closes the database. */
export function connectReadOnlyWhenFree(path: string, busyTimeoutMs: number): Promise<Sqlite> {
  const isLocked = (error: unknown) => error instanceof StoreError && error.code === 'locked';
  return retryWhile(isLocked, () => connectReadOnly(path, busyTimeoutMs));
}

async function retryWhile<Result>(isTransient: (error: unknown) => boolean, attempt: () => Result): Promise<Result> {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      return attempt();
    } catch (error) {
      if (!isTransient(error) || waitedMs >= openingTimeoutMs) throw error;
    }
    await delay(pauseMs);
  }
}

/**
 * Throws StoreError for a database of another program, recognised by its application id. An empty database is accepted: a process that dies
 * while creating a database leaves an empty one, because the id and the tables are committed together.
 */
export function requireOwnDatabase(sqlite: Sqlite, path: string): 'ours' | 'empty' {
  const id = sqlite.pragma('application_id', { simple: true });
  if (id === applicationId) return 'ours';
  const tables = sqlite.prepare('select count(*) from sqlite_schema').pluck().get();
  if (id === 0 && tables === 0) return 'empty';
  throw new StoreError(
    'foreign-database',
    path,
    'is a SQLite database of another program; choose another file for Loopscout',
  );
}

/** Retries for ten seconds while another connection holds a lock. Does not block this thread, since the other connection may run on it too. */
export function whenFree<Result>(sqlite: Sqlite, attempt: () => Result): Promise<Result> {
  const busyTimeoutMs = sqlite.pragma('busy_timeout', { simple: true });
  return retryWhile(isBusy, () => {
    try {
      sqlite.pragma('busy_timeout = 0');
      return attempt();
    } finally {
      sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
  });
}

/**
 * Runs `work` and converts SQLite errors to {@link StoreError}.
 *
 * @param isInPlace whether the path still names the opened file.
 */
export async function withOpeningErrors<Result>(
  path: string,
  work: () => Promise<Result>,
  isInPlace?: () => boolean,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, path, 'opening', isInPlace);
  }
}

/** Whether another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function requireExisting(path: string): void {
  refuseNonFile(path);
  if (existsSync(path)) return;
  throw new StoreError('missing', path, 'does not exist; crawl first, or name the database of a crawl');
}

function refuseNonFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    const what = stats.isDirectory() ? 'a folder' : 'not a regular file';
    throw new StoreError('not-a-file', path, `is ${what}; name a file`);
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
