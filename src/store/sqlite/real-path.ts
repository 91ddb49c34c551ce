import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

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
