import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../export-error.ts';
import { Manifest, type ManifestFile } from '../schema/manifest.ts';
import { fileBlocks } from './blocks.ts';

/** The manifest of the last export, checked against the files. */
export type PublishedManifest = ReturnType<typeof readPublishedManifest>;

/** Matches a file in the export folder or one of its folders. */
const NAME = /^(?:[a-z]+\/)?[\w][\w.-]*$/i;

/** Reads the manifest of an export folder. A missing or invalid one lists nothing. */
export function readPublishedManifest(dir: string, manifestName: string) {
  const files = new Map<string, ManifestFile>();
  for (const file of readListedFiles(join(dir, manifestName))) if (NAME.test(file.name)) files.set(file.name, file);
  return {
    /** Every listed name, without those outside the export folder. */
    names: () => [...files.keys()],
    /** The entry of a file; null when it is not listed, or the file does not have the listed size. */
    findIntact(name: string): ManifestFile | null {
      const file = files.get(name);
      if (file === undefined) return null;
      const status = statSync(join(dir, name), { throwIfNoEntry: false });
      return status?.isFile() && status.size === file.bytes ? file : null;
    },
  };
}

/** Whether every file has its SHA-256. */
export async function areIntact(dir: string, files: Iterable<Pick<ManifestFile, 'name' | 'sha256'>>): Promise<boolean> {
  for (const { name, sha256 } of files) if ((await sha256Of(join(dir, name))) !== sha256) return false;
  return true;
}

function readListedFiles(path: string): readonly ManifestFile[] {
  try {
    return Manifest.pick({ files: true }).parse(JSON.parse(readFileSync(path, 'utf8'))).files;
  } catch {
    return [];
  }
}

/** In every file that has `generatedAt`, or `created`, it is within this many bytes of the start. */
const HEAD_BYTES = 512;
const STAMP = /"(?:generatedAt|created)": ?"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;

export interface PublishedFile {
  readonly bytes: number;
  /** Its `generatedAt`; null when it has none. */
  readonly generatedAt: string | null;
}

/**
 * Reads the file to be replaced; null when it is missing or unreadable.
 *
 * @throws {ExportError} when a folder exists in its place.
 */
export async function readPublishedFile(path: string): Promise<PublishedFile | null> {
  const status = await lstat(path).catch(() => null);
  if (status?.isDirectory()) throw new ExportError(path, Object.assign(new Error('is a folder'), { code: 'EISDIR' }));
  if (!status?.isFile()) return null;
  try {
    await using handle = await open(path, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const stamp = STAMP.exec(buffer.toString('utf8', 0, bytesRead));
    return { bytes: status.size, generatedAt: stamp?.[1] ?? null };
  } catch {
    return null;
  }
}

/** SHA-256 of a file in hexadecimal, read block by block; null when it cannot be read. */
export async function sha256Of(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const block of fileBlocks(path)) hash.update(block);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
