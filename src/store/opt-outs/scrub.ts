import SqliteDatabase from 'better-sqlite3';
import { isBusy, type Sqlite } from '../sqlite/sqlite.ts';

/** Rewriting takes some ten seconds a gigabyte and as much room again; a larger file is left to `secure_delete`. */
const LARGEST_BYTES = 1024 ** 3;
/** Each attempt waits as long as the connection's busy time-out. */
const ATTEMPTS = 20;

/**
 * Rewrites the database, so that nothing of what was deleted is left in it. `secure_delete` overwrites deleted rows and freed pages, but not
 * the copies that SQLite leaves in the unused part of a page when it moves rows from page to page; about one domain in forty left such
 * a copy behind. Then the write-ahead log is emptied.
 *
 * @returns whether all of that was done; not when the file is too large, the disk too full, or others kept the database busy
 */
export function scrub(sqlite: Sqlite): boolean {
  const bytes =
    Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }));
  const isRewritten = bytes <= LARGEST_BYTES && rewrite(sqlite);
  const isLogEmpty = attempt(() => sqlite.pragma('wal_checkpoint(truncate)', { simple: true }) === 0);
  return isRewritten && isLogEmpty;
}

/** A full disk ends the scrubbing, not the forgetting: what was asked for is done. */
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

/** Does work until it is done; another connection in the way is as good as not done. */
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
