import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryIndex } from '../../src/export/schema/history.ts';
import type { Manifest } from '../../src/export/schema/manifest.ts';

/** Creates a folder that is removed after the test run. */
export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'loopscout-export-'));

/** Every file below a folder, sorted, with its inode, modification time, size and hash. */
export async function filesIn(folder: string) {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files: Record<string, { inode: number; mtimeMs: number; bytes: number; sha256: string }> = {};
  for (const path of names.sort()) {
    const status = await stat(path);
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    files[path.slice(folder.length + 1)] = { inode: status.ino, mtimeMs: status.mtimeMs, bytes: status.size, sha256 };
  }
  return files;
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
}

/** Names of files that differ between the disk and the manifest, or the index of the dated files. */
export async function manifestFaults(folder: string): Promise<string[]> {
  const files = await filesIn(folder);
  const { files: exported } = await readManifest(folder);
  const { files: dated } = HistoryIndex.parse(JSON.parse(await readFile(join(folder, 'history/index.json'), 'utf8')));
  const listed = [...exported, ...dated];
  const faults = listed
    .filter(({ name, bytes, sha256 }) => files[name]?.bytes !== bytes || files[name]?.sha256 !== sha256)
    .map(({ name }) => name);
  const unlisted = Object.keys(files).filter(
    (name) => name !== 'manifest.json' && !listed.some((file) => file.name === name),
  );
  return [...faults, ...unlisted];
}
