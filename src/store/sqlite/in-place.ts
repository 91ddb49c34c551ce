import { statSync } from 'node:fs';
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
