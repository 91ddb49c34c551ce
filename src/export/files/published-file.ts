import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ExportError } from '../export-error.ts';
import { Manifest, type ManifestFile } from '../schema/manifest.ts';
import { fileBlocks } from './blocks.ts';

/** The manifest that the last export left; it is taken for what it says only where the files bear it out. */
export interface PublishedManifest {
  /** Every name it lists, without those that lead out of the export folder. */
  names(): readonly string[];
  /** What it says of a file; null when it does not list it, or the file is not there in that size. */
  intact(name: string): ManifestFile | null;
}

/** A file of the export folder, or of a folder in it. */
const NAME = /^(?:[a-z]+\/)?[\w][\w.-]*$/i;

/** Reads the manifest of an export folder; one that is not there, or cannot be understood, lists nothing. */
export function publishedManifest(dir: string, manifestName: string): PublishedManifest {
  const files = new Map<string, ManifestFile>();
  for (const file of listedIn(join(dir, manifestName))) if (NAME.test(file.name)) files.set(file.name, file);
  return {
    names: () => [...files.keys()],
    intact(name) {
      const file = files.get(name);
      if (file === undefined) return null;
      const status = statSync(join(dir, name), { throwIfNoEntry: false });
      return status?.isFile() && status.size === file.bytes ? file : null;
    },
  };
}

function listedIn(path: string): readonly ManifestFile[] {
  try {
    return Manifest.pick({ files: true }).parse(JSON.parse(readFileSync(path, 'utf8'))).files;
  } catch {
    return [];
  }
}

/** Where `generatedAt` stands in every file that has it. */
const HEAD_BYTES = 512;
const STAMP = /"generatedAt": ?"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;

/** What the last export left under a name. */
export interface PublishedFile {
  readonly bytes: number;
  /** Its `generatedAt`; null when it has none. */
  readonly generatedAt: string | null;
}

/**
 * Looks at the file that is about to be replaced; null when there is none, or none that can be read and compared.
 *
 * @throws {ExportError} when a folder stands in its place.
 */
export async function publishedFile(path: string): Promise<PublishedFile | null> {
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
