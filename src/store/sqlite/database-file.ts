import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from './store-error.ts';

/** Returns a function that checks whether the file at the path is still the same one, neither deleted nor replaced. */
export function rememberFile(path: string): () => boolean {
  const opened = identityOf(path);
  return () => opened !== null && identityOf(path) === opened;
}

/** Device and inode; null when there is no such file. */
export function identityOf(path: string): string | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
  } catch (cause) {
    throw new StoreError('unreadable', path, 'cannot be accessed; give this user permission on its folder', { cause });
  }
}

/** The path with symbolic links resolved; for a missing file, those of its folder are resolved. */
export function realPath(path: string): string {
  return resolveLinks(path) ?? join(resolveLinks(dirname(path)) ?? resolve(dirname(path)), basename(path));
}

function resolveLinks(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/**
 * Creates a folder with its missing parents. Node's own recursive `mkdir` never returns where the file system answers ENOENT for a folder
 * whose parent exists, as /proc does.
 *
 * @throws the error of the file system
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
