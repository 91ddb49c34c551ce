import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../store/sqlite/database-file.ts';
import type { Partitioned } from '../bulk/partitioned.ts';
import { withExportErrors } from '../export-error.ts';
import { sweepTemporaries } from './temporary-files.ts';

/** Listed here because the code that fills them is loaded on the first export. */
const FOLDERS: readonly ('schema' | 'history' | Partitioned['name'])[] = ['schema', 'history', 'visits', 'usage'];

/**
 * Creates the export folder and its subfolders, removes the temporary files of killed exports, and returns the folders. Call it early to
 * report an unusable folder before a crawl.
 *
 * @throws {ExportError} when the folder cannot be created, read or written to.
 */
export async function prepareFolders(dir: string): Promise<readonly string[]> {
  const folders = [...FOLDERS.map((name) => join(dir, name)), dir];
  await withExportErrors(dir, async () => {
    for (const folder of folders) {
      makeFolder(folder);
      accessSync(folder, constants.W_OK);
      await sweepTemporaries(folder);
    }
  });
  return folders;
}
