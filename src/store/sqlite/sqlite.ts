import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { makeFolder } from './database-file.ts';
import { retryWhileLocked } from './retry-while-locked.ts';
import { StoreError, toStoreError } from './store-error.ts';

export type Sqlite = SqliteDatabase.Database;

/** "Lpsc" in ASCII, in the header of every database of ours (SQLite file format, section 1.3.10). */
export const applicationId = 0x4c707363;

/** How long to wait, without blocking the thread, for another process that is creating or migrating the database. */
const openingTimeoutMs = 10_000;
/** The write-ahead log is cut back to this when a checkpoint has emptied it. */
const journalSizeLimitBytes = 64 * 1024 * 1024;
/** With a million domains, twice as much saves no time: what is visited next may stand anywhere. */
const cacheKib = 4 * 1024;

/**
 * Opens a connection that writes, creating folder and file when they are not there. A file that is not Loopscout's is
 * refused before anything is changed in it.
 *
 * `synchronous` is NORMAL: what is committed survives the death of the process, however it dies; a power failure can
 * take back the last commits but never corrupts (https://www.sqlite.org/wal.html#performance_considerations).
 */
export async function connect(path: string, busyTimeoutMs: number): Promise<Sqlite> {
  try {
    makeFolder(dirname(path));
  } catch (cause) {
    const problem = `cannot be created, because its folder cannot be (${errorCode(cause)})`;
    throw new StoreError('folder-unusable', path, `${problem}; name a folder that this user may write to`, { cause });
  }
  refuseWhatIsNoFile(path);
  return withOpeningErrors(path, async () => {
    const sqlite = new SqliteDatabase(path, { timeout: busyTimeoutMs });
    try {
      await whenFree(sqlite, () => refuseForeign(sqlite, path));
      await whenFree(sqlite, () => sqlite.pragma('journal_mode = WAL'));
      sqlite.pragma('synchronous = NORMAL');
      sqlite.pragma('foreign_keys = ON');
      // What is deleted is overwritten: an opt-out leaves nothing behind, in free pages neither.
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

/** Opens a connection that writes to a database that must exist, and waits for nobody: its work is to be done {@link whenFree}. */
export async function connectExisting(path: string): Promise<Sqlite> {
  requireThere(path);
  return connect(path, 0);
}

/** Opens a connection that only reads; the database must exist. */
export function connectReadOnly(path: string, busyTimeoutMs: number): Sqlite {
  requireThere(path);
  try {
    const sqlite = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      if (refuseForeign(sqlite, path) === 'empty') {
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

/** As {@link connectReadOnly}, but waits, without blocking the thread, while another process is creating or closing the database. */
export async function connectReadOnlyWhenFree(path: string, busyTimeoutMs: number): Promise<Sqlite> {
  return retryWhileLocked(() => connectReadOnly(path, busyTimeoutMs), { forMs: openingTimeoutMs });
}

/**
 * Refuses a database that something else made, by its application id. An empty database is nobody's; a process that
 * died while it created ours leaves one, since id and tables are committed together.
 */
export function refuseForeign(sqlite: Sqlite, path: string): 'ours' | 'empty' {
  const id = sqlite.pragma('application_id', { simple: true });
  if (id === applicationId) return 'ours';
  const tables = sqlite.prepare('select count(*) from sqlite_schema').pluck().get();
  if (id === 0 && tables === 0) return 'empty';
  throw new StoreError(
    'foreign-database',
    path,
    'is a SQLite database of another program; name a file of its own for Loopscout',
  );
}

/** Tries again while another connection holds a lock, without blocking this thread: the other may be on it. */
export async function whenFree<Result>(sqlite: Sqlite, attempt: () => Result): Promise<Result> {
  const busyTimeoutMs = sqlite.pragma('busy_timeout', { simple: true });
  for (let waitedMs = 0; ; waitedMs += 20) {
    try {
      sqlite.pragma('busy_timeout = 0');
      return attempt();
    } catch (error) {
      if (!isBusy(error) || waitedMs >= openingTimeoutMs) throw error;
    } finally {
      sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
    await delay(20);
  }
}

/** Runs `work` and turns whatever SQLite throws into a {@link StoreError}; as {@link toStoreError}. */
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

/** Whether another connection was in the way. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function requireThere(path: string): void {
  refuseWhatIsNoFile(path);
  if (existsSync(path)) return;
  throw new StoreError('missing', path, 'does not exist; crawl first, or name the database of a crawl');
}

function refuseWhatIsNoFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    const what = stats.isDirectory() ? 'a folder' : 'not a regular file';
    throw new StoreError('not-a-file', path, `is ${what}; name a file`);
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
