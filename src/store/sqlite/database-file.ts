import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from './store-error.ts';

/** Remembers which file is at a path; answers whether it is still that one, and not deleted or replaced. */
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
    throw new StoreError('unreadable', path, 'cannot be looked at; give this user permission on its folder', { cause });
  }
}

/**
 * The path by which a file is the same under all its names, symbolic links followed; of a file that is not there yet, by that of its
 * folder.
 */
export function realPath(path: string): string {
  return followed(path) ?? join(followed(dirname(path)) ?? resolve(dirname(path)), basename(path));
}

function followed(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/**
 * Makes a folder and those above it that are missing. Node's own recursive `mkdir` never returns where the file system
 * answers ENOENT to making a folder in one that exists, as /proc does.
 *
 * @throws the error of the file system
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
