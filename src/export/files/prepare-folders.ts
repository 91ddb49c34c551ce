import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../store/sqlite/database-file.ts';
import type { Partitioned } from '../bulk/partitioned.ts';
import { namingFile } from '../export-error.ts';
import { sweepTemporaries } from './temporary-files.ts';

/** Named here, since what fills them is loaded when there is something to export. */
const FOLDERS: readonly ('schema' | Partitioned['name'])[] = ['schema', 'visits', 'usage'];

/**
 * Makes the export folder and clears it of what killed exports left; called early, it tells of an unusable folder before
 * there is anything to write.
 *
 * @throws {ExportError} when the folder cannot be made, read or written to.
 */
export async function prepareFolders(dir: string): Promise<readonly string[]> {
  const folders = [...FOLDERS.map((name) => join(dir, name)), dir];
  await namingFile(dir, async () => {
    for (const folder of folders) {
      makeFolder(folder);
      accessSync(folder, constants.W_OK);
      await sweepTemporaries(folder);
    }
  });
  return folders;
}
