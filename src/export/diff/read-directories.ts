import { join } from 'node:path';
import { findDatedFile } from '../history/dated-files.ts';
import { ReadError } from '../read/read-error.ts';
import { type InstancesRead, readInstances } from '../read/read-instances.ts';

/** A directory as it was published: the dated file of a day (`YYYY-MM-DD`), or an `instances.json` or dated file by its path. */
export type PublishedDirectory = { date: string } | { file: string };

class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly kind = 'setting';
}

/**
 * Reads two published directories.
 *
 * @param dir the export folder, with the dated files and the present.
 * @param to null: the present.
 * @throws {DirectoryError} when a file cannot be read, or the second directory is not the later one.
 * @throws {NoDatedFileError}
 */
export async function readDirectories(
  dir: string,
  { from, to }: { from: PublishedDirectory; to: PublishedDirectory | null },
): Promise<{ before: InstancesRead; after: InstancesRead }> {
  const read = (directory: PublishedDirectory) =>
    'date' in directory
      ? readDirectory(findDatedFile(dir, directory.date), 'export again')
      : readDirectory(directory.file, 'name a date such as 2026-03-01, or a file');
  const before = await read(from);
  const after = to === null ? await readDirectory(join(dir, 'instances.json'), 'export first') : await read(to);
  if (before.generatedAt > after.generatedAt) {
    throw new DirectoryError(
      `the first directory, of ${before.generatedAt}, is later than the second, of ${after.generatedAt}; name the earlier one first`,
    );
  }
  return { before, after };
}

async function readDirectory(path: string, cure: string): Promise<InstancesRead> {
  try {
    return await readInstances(path);
  } catch (cause) {
    throw cause instanceof ReadError ? new DirectoryError(`${cause.message}; ${cure}`, { cause }) : cause;
  }
}
