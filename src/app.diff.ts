import { directoryDifferenceOf } from './export/diff/directory-difference-of.ts';
import type { DirectoryDifference } from './export/schema/directory-difference.ts';
import type { Settings } from './settings.schema.ts';
import { openStore } from './store/open-store.ts';

export { directoryDifferenceText } from './export/diff/directory-difference-text.ts';
export type { DirectoryDifference } from './export/schema/directory-difference.ts';

/** A time of the directory, epoch milliseconds; null: as it is now. */
export type DirectoryTime = number | null;

/**
 * What changed in the directory between two times, each read through a snapshot of its own; the database is only read.
 *
 * @throws {AsOfError} when one of them cannot be told.
 */
export async function diffDirectory(
  settings: Settings,
  { from, to, now }: { from: DirectoryTime; to: DirectoryTime; now: number },
): Promise<DirectoryDifference> {
  await using store = await openStore({ path: settings.database, readOnly: true });
  const readerAt = (at: DirectoryTime) =>
    store.reader({ flags: settings.flags, ...(at === null ? { snapshot: true } : { asOf: { at, everLoops: true } }) });
  using before = readerAt(from);
  using after = readerAt(to);
  const directory = (reader: typeof before, at: DirectoryTime) => ({
    at: at ?? now,
    instances: reader.instances(at ?? now),
  });
  return directoryDifferenceOf(directory(before, from), directory(after, to), after);
}
