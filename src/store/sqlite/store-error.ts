import { existsSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

/** What is wrong with the database. */
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
  /** By another connection, for longer than the busy time-out; the same call can be made again. */
  | 'locked'
  | 'corrupt'
  | 'failed';

/** The codes that mean that the `database` setting names something unusable; the others are failures while working. */
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

/** The database cannot be used; the message is one sentence that names its path, what is wrong and the cure. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly path: string;
  /** `setting`: the `database` setting names something unusable; `failure`: it broke while working. */
  readonly kind: 'setting' | 'failure';

  /** `problem` completes "The database PATH ...". */
  constructor(code: StoreErrorCode, path: string, problem: string, options?: ErrorOptions) {
    super(`The database ${path} ${problem}.`, options);
    this.code = code;
    this.path = path;
    this.kind = settingCodes.has(code) ? 'setting' : 'failure';
  }
}

interface Problem {
  matches: RegExp;
  code: StoreErrorCode;
  /** Completes "The database PATH ..." without the full stop. */
  says: string;
}

/** SQLite's result codes (https://www.sqlite.org/rescode.html) in our words; the first that matches counts. */
const problems: readonly Problem[] = [
  {
    matches: /^SQLITE_NOTADB/,
    code: 'not-a-database',
    says: 'is not a SQLite database; name another file, or move this one away',
  },
  {
    // What a quota or a limit on the size of a file stops arrives as a failed write.
    matches: /^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE|FSYNC|TRUNCATE))/,
    code: 'disk-full',
    says: 'cannot be written because the disk or a quota is full; free some space; nothing recorded so far is lost',
  },
  {
    matches: /^SQLITE_(BUSY|LOCKED)/,
    code: 'locked',
    says: 'stayed locked by another process; close what has it open (a shell, a backup) and start again',
  },
  {
    matches: /^SQLITE_CORRUPT/,
    code: 'corrupt',
    says: 'is damaged; restore it from a backup, or move it away to begin anew',
  },
  {
    matches: /^SQLITE_READONLY/,
    code: 'read-only',
    says: 'cannot be written; give this user write permission on the file and its folder, or name another file',
  },
  {
    matches: /^SQLITE_(CANTOPEN|PERM|AUTH)/,
    code: 'unreadable',
    says: 'cannot be opened; give this user read and write permission on the file and its folder, or name another file',
  },
];

const SEEMS_DAMAGED = /^SQLITE_(CORRUPT|NOTADB|READONLY_DBMOVED|IOERR_SHORT_READ)/;

/**
 * Puts what SQLite throws into one sentence with the cure; anything else is returned as it is. While `opening`, a
 * file that could not be created is told apart from one that may not be opened.
 *
 * @param isInPlace whether the file at the path is still the one that was opened; one that is not seems damaged, because its log is
 * another's.
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
  const problem = problems.find(({ matches }) => matches.test(error.code));
  if (problem !== undefined) return new StoreError(problem.code, path, problem.says, { cause: error });
  const unknown = `failed (${error.code}: ${error.message}); check the disk it is on`;
  return new StoreError('failed', path, unknown, { cause: error });
}

/** Runs `work` on an open database and turns whatever SQLite throws into a StoreError. */
export function withStoreErrors<Result>(path: string, work: () => Result, isInPlace?: () => boolean): Result {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, path, 'working', isInPlace);
  }
}

/** The file at the path is not the one that was opened: what is recorded now goes nowhere. */
export function movedError(path: string, options?: ErrorOptions): StoreError {
  const problem =
    'was moved, deleted or replaced while it was in use; put the file back or start anew, what was recorded since may be lost';
  return new StoreError('moved', path, problem, options);
}
