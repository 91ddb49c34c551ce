import SqliteDatabase from 'better-sqlite3';
import { isBusy, type Sqlite } from '../sqlite/sqlite.ts';

/** Rewriting takes about ten seconds and a gigabyte of disk per gigabyte; a larger file is left to `secure_delete`. */
const LARGEST_BYTES = 1024 ** 3;
/** Each attempt waits for the connection's busy time-out. */
const ATTEMPTS = 20;

/**
 * Rewrites the database without any trace of deleted rows, and empties the write-ahead log. `secure_delete` overwrites deleted rows and
 * freed pages, but not the copies that SQLite leaves in the unused part of a page when it moves rows between pages: about one domain in
 * forty left such a copy.
 *
 * @returns whether both were done; not when the file is too large, the disk too full, or another connection kept the database busy.
 */
export function scrub(sqlite: Sqlite): boolean {
  const bytes =
    Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }));
  const isRewritten = bytes <= LARGEST_BYTES && rewrite(sqlite);
  const isLogEmpty = attempt(() => sqlite.pragma('wal_checkpoint(truncate)', { simple: true }) === 0);
  return isRewritten && isLogEmpty;
}

/** False when the disk is full: the rows are deleted all the same. */
function rewrite(sqlite: Sqlite): boolean {
  try {
    return attempt(() => {
      sqlite.exec('vacuum');
      return true;
    });
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && /^SQLITE_(FULL|IOERR_WRITE)/.test(error.code)) return false;
    throw error;
  }
}

/** Repeats work until it succeeds; a busy database counts as a failure. */
function attempt(work: () => boolean): boolean {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    try {
      if (work()) return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
  return false;
}
