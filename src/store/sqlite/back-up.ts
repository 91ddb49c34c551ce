import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { identityOf } from './database-file.ts';
import { connectReadOnlyWhenFree } from './sqlite.ts';
import { toStoreError } from './store-error.ts';

/** The copy could not be written; the message names its path, the problem and the cure. */
class BackUpError extends Error {
  override readonly name = 'BackUpError';
  /** `setting`: the target is not usable; `failure`: writing failed. */
  readonly kind: 'setting' | 'failure';

  /** `problem` completes "The backup PATH ...". */
  constructor(kind: 'setting' | 'failure', target: string, problem: string, options?: ErrorOptions) {
    super(`The backup ${target} ${problem}.`, options);
    this.kind = kind;
  }
}

/** How long a statement may wait for a lock. The wait blocks the thread, so run backups in their own process or thread. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies one snapshot of a database to `target` while others read and write it. The copy is written to a temporary file, synced and renamed,
 * so `target` is never incomplete. Blocks the thread.
 *
 * Uses VACUUM INTO, because SQLite's backup API restarts whenever another connection writes.
 *
 * @throws StoreError when the database cannot be read
 * @throws BackUpError when the copy cannot be written
 */
export async function backUp(path: string, target: string, { force }: { force: boolean }): Promise<{ bytes: number }> {
  const [from, to] = [resolve(path), resolve(target)];
  requireUsableTarget(from, to, force);
  const temporary = `${to}.incomplete-${randomUUID()}`;
  const sqlite = await connectReadOnlyWhenFree(from, BUSY_TIMEOUT_MS);
  try {
    copy(sqlite, from, to, temporary);
    sync(temporary);
    requireUsableTarget(from, to, force);
    renameSync(temporary, to);
    sync(dirname(to));
    return { bytes: statSync(to).size };
  } catch (error) {
    throw isFileError(error) ? new BackUpError('failure', to, whyUnwritable(error.code), { cause: error }) : error;
  } finally {
    sqlite.close();
    rmSync(temporary, { force: true });
    rmSync(`${temporary}-journal`, { force: true });
  }
}

function requireUsableTarget(from: string, to: string, force: boolean): void {
  const stats = statSync(to, { throwIfNoEntry: false });
  if (to === from || (stats !== undefined && identityOf(to) === identityOf(from))) {
    throw new BackUpError('setting', to, 'would be the database itself; name another file');
  }
  // If a log already lies next to the target, SQLite would apply that log to the copy and corrupt it.
  const log = ['-wal', '-shm', '-journal'].find((suffix) => existsSync(to + suffix) || to === from + suffix);
  if (log !== undefined) {
    throw new BackUpError('setting', to, `would lie among the files of a database in use (${log}); name another file`);
  }
  if (stats?.isDirectory()) throw new BackUpError('setting', to, 'is a folder; name a file in it');
  if (stats !== undefined && !stats.isFile())
    throw new BackUpError('setting', to, 'is not a regular file; name another');
  if (stats !== undefined && !force) {
    throw new BackUpError('setting', to, 'exists already; name another file, or replace it with --force');
  }
  if (!existsSync(dirname(to))) {
    throw new BackUpError('setting', to, 'cannot be written, because its folder does not exist; make the folder first');
  }
}

function copy(sqlite: SqliteDatabase.Database, from: string, to: string, temporary: string): void {
  try {
    sqlite.prepare('vacuum into ?').run(temporary);
  } catch (error) {
    const code = error instanceof SqliteDatabase.SqliteError ? error.code : '';
    const fault = faults.find(({ matches }) => matches.test(code));
    if (fault === undefined) throw toStoreError(error, from, 'working');
    throw new BackUpError(fault.kind, to, fault.problem, { cause: error });
  }
}

/** Write errors, which concern the copy, since the database itself is only read. */
const faults = [
  { matches: /^SQLITE_(FULL|IOERR_(WRITE|FSYNC|TRUNCATE))/, kind: 'failure', problem: whyUnwritable('ENOSPC') },
  { matches: /^SQLITE_(CANTOPEN|READONLY|PERM)/, kind: 'setting', problem: whyUnwritable('EACCES') },
] as const;

function whyUnwritable(code: string | undefined): string {
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return 'cannot be written because the disk or a quota is full; free some space, or name a file elsewhere';
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return 'cannot be written; give this user write permission on its folder, or name a file elsewhere';
  }
  return `cannot be written (${code}); check the disk it is on`;
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } catch (error) {
    // Some systems cannot sync a folder.
    if (statSync(path).isFile()) throw error;
  } finally {
    closeSync(file);
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
