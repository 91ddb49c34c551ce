import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

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
