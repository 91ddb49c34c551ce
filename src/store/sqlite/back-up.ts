import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { identityOf } from './database-file.ts';
import { connectReadOnlyWhenFree } from './sqlite.ts';
import { toStoreError } from './store-error.ts';

/** A copy that could not be written; the message is one sentence that names its path, what is wrong and the cure. */
class BackUpError extends Error {
  override readonly name = 'BackUpError';
  /** `setting`: the copy cannot be there; `failure`: it broke while it was written. */
  readonly kind: 'setting' | 'failure';

  /** `problem` completes "The backup PATH ...". */
  constructor(kind: 'setting' | 'failure', target: string, problem: string, options?: ErrorOptions) {
    super(`The backup ${target} ${problem}.`, options);
    this.kind = kind;
  }
}

/** Of one statement, blocking the thread: a copy is made by a process or thread of its own. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies a database to `target` while others read and write it: everything committed by one moment, and nothing later. It is written beside
 * its name, synced and renamed, so that `target` is a whole copy or what it was before. Blocks the thread.
 *
 * By VACUUM INTO, which reads one snapshot; SQLite's backup API begins anew whenever another connection writes.
 *
 * @throws StoreError when the database cannot be read
 * @throws BackUpError when the copy cannot be written
 */
export async function backUp(path: string, target: string, { force }: { force: boolean }): Promise<{ bytes: number }> {
  const [from, to] = [resolve(path), resolve(target)];
  refuse(from, to, force);
  const beside = `${to}.incomplete-${randomUUID()}`;
  const sqlite = await connectReadOnlyWhenFree(from, BUSY_TIMEOUT_MS);
  try {
    copy(sqlite, from, to, beside);
    sync(beside);
    refuse(from, to, force);
    renameSync(beside, to);
    sync(dirname(to));
    return { bytes: statSync(to).size };
  } catch (error) {
    throw isFileError(error) ? new BackUpError('failure', to, whyUnwritable(error.code), { cause: error }) : error;
  } finally {
    sqlite.close();
    rmSync(beside, { force: true });
    rmSync(`${beside}-journal`, { force: true });
  }
}

function refuse(from: string, to: string, force: boolean): void {
  const stats = statSync(to, { throwIfNoEntry: false });
  if (to === from || (stats !== undefined && identityOf(to) === identityOf(from))) {
    throw new BackUpError('setting', to, 'would be the database itself; name another file');
  }
  // A log of another database beside the copy would be taken for the copy's own, and spoil it.
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

function copy(sqlite: SqliteDatabase.Database, from: string, to: string, beside: string): void {
  try {
    sqlite.prepare('vacuum into ?').run(beside);
  } catch (error) {
    const code = error instanceof SqliteDatabase.SqliteError ? error.code : '';
    const fault = faults.find(({ matches }) => matches.test(code));
    if (fault === undefined) throw toStoreError(error, from, 'working');
    throw new BackUpError(fault.kind, to, fault.says, { cause: error });
  }
}

/** A database that is only read cannot run out of room or be refused for writing: these are the copy's. */
const faults = [
  { matches: /^SQLITE_(FULL|IOERR_(WRITE|FSYNC|TRUNCATE))/, kind: 'failure', says: whyUnwritable('ENOSPC') },
  { matches: /^SQLITE_(CANTOPEN|READONLY|PERM)/, kind: 'setting', says: whyUnwritable('EACCES') },
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
