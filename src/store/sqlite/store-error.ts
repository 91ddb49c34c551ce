import { existsSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

export type StoreErrorCode =
  | 'folder-unusable'
  | 'not-a-file'
  | 'not-a-database'
  | 'foreign-database'
  | 'newer-database'
  | 'older-database'
  | 'missing'
  | 'moved'
  | 'unreadable'
  | 'read-only'
  | 'disk-full'
  /** Another connection held a lock for longer than the busy time-out; the call can be retried. */
  | 'locked'
  | 'corrupt'
  | 'failed';

/** The codes for which the `database` setting names an unusable file; the others are failures during work. */
const settingCodes: ReadonlySet<StoreErrorCode> = new Set([
  'folder-unusable',
  'not-a-file',
  'not-a-database',
  'foreign-database',
  'newer-database',
  'older-database',
  'missing',
  'unreadable',
  'read-only',
]);

/** The database cannot be used; the message names its path, the problem and the cure. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly path: string;
  /** `setting`: the `database` setting names an unusable file; `failure`: an operation failed. */
  readonly kind: 'setting' | 'failure';

  /** `problem` completes "The database PATH ...". */
  constructor(code: StoreErrorCode, path: string, problem: string, options?: ErrorOptions) {
    super(`The database ${path} ${problem}.`, options);
    this.code = code;
    this.path = path;
    this.kind = settingCodes.has(code) ? 'setting' : 'failure';
  }
}

interface ErrorMessage {
  matches: RegExp;
  code: StoreErrorCode;
  /** Completes "The database PATH ..." without the full stop. */
  problem: string;
}

/** Messages for SQLite's result codes (https://www.sqlite.org/rescode.html); the first match applies. */
const messages: readonly ErrorMessage[] = [
  {
    matches: /^SQLITE_NOTADB/,
    code: 'not-a-database',
    problem: 'is not a SQLite database; name another file, or move this one away',
  },
  {
    // A quota or a file size limit causes IOERR_WRITE, not FULL.
    matches: /^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE|FSYNC|TRUNCATE))/,
    code: 'disk-full',
    problem: 'cannot be written because the disk or a quota is full; free some space; nothing recorded so far is lost',
  },
  {
    matches: /^SQLITE_(BUSY|LOCKED)/,
    code: 'locked',
    problem: 'stayed locked by another process; close the program that has it open (a shell, a backup) and start again',
  },
  {
    matches: /^SQLITE_CORRUPT/,
    code: 'corrupt',
    problem: 'is damaged; restore it from a backup, or move it away to start over',
  },
  {
    matches: /^SQLITE_READONLY/,
    code: 'read-only',
    problem: 'cannot be written; give this user write permission on the file and its folder, or name another file',
  },
  {
    matches: /^SQLITE_(CANTOPEN|PERM|AUTH)/,
    code: 'unreadable',
    problem:
      'cannot be opened; give this user read and write permission on the file and its folder, or name another file',
  },
];

const SEEMS_DAMAGED = /^SQLITE_(CORRUPT|NOTADB|READONLY_DBMOVED|IOERR_SHORT_READ)/;

/**
 * Converts an SQLite error to a StoreError; returns any other error unchanged. While `opening`, distinguishes a file that cannot be created
 * from one without permission.
 *
 * @param isInPlace whether the path still names the opened file; a replaced file appears damaged, because the open write-ahead log belongs
 * to the old file.
 */
export function toStoreError(
  error: unknown,
  path: string,
  during: 'opening' | 'working',
  isInPlace: () => boolean = () => true,
): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error;
  if (during === 'opening' && error.code.startsWith('SQLITE_CANTOPEN') && !existsSync(path)) {
    const problem = 'cannot be created or opened; check that its folder exists and that this user may write to it';
    return new StoreError('folder-unusable', path, problem, { cause: error });
  }
  if (SEEMS_DAMAGED.test(error.code) && !isInPlace()) return movedError(path, { cause: error });
  const message = messages.find(({ matches }) => matches.test(error.code));
  if (message !== undefined) return new StoreError(message.code, path, message.problem, { cause: error });
  const problem = `failed (${error.code}: ${error.message}); check the disk it is on`;
  return new StoreError('failed', path, problem, { cause: error });
}

/** The path no longer names the opened file, so writes are lost. */
export function movedError(path: string, options?: ErrorOptions): StoreError {
  const problem =
    'was moved, deleted or replaced while it was in use; put the file back or restart; data recorded since may be lost';
  return new StoreError('moved', path, problem, options);
}
