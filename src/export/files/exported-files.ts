import { createReadStream, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isDatedFile } from '../history/dated-files.ts';
import { readPublishedManifest } from './published-file.ts';

export const MANIFEST = 'manifest.json';

/** A file of the last export. */
export interface ExportedFile {
  readonly bytes: number;
  /** Changes whenever the file is replaced. */
  readonly etag: string;
  /** The content; the file is opened when reading begins. */
  read(): Readable;
}

/** Finds a file by its name in the export folder, such as `instances.json` or `visits/2026-01.parquet`; null for any other file. */
export type FindExportedFile = (name: string) => ExportedFile | null;

/** Finds only the manifest, the files that it lists and the dated files, so neither temporary files nor paths outside the folder. */
export function createExportedFiles(dir: () => string): FindExportedFile {
  let manifest = { path: '', etag: '', names: new Set<string>() };
  const listedNames = (): ReadonlySet<string> => {
    const path = join(dir(), MANIFEST);
    const etag = fileAt(path)?.etag ?? '';
    if (manifest.path !== path || manifest.etag !== etag) {
      manifest = { path, etag, names: new Set([MANIFEST, ...readPublishedManifest(dir(), MANIFEST).names()]) };
    }
    return manifest.names;
  };
  return (name) => (isDatedFile(name) || listedNames().has(name) ? fileAt(join(dir(), name)) : null);
}

function fileAt(path: string): ExportedFile | null {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status?.isFile()) return null;
  const { size: bytes, mtimeMs, ino } = status;
  return { bytes, etag: `W/"${bytes}-${Math.floor(mtimeMs)}-${ino}"`, read: () => Readable.from(blocksAt(path)) };
}

async function* blocksAt(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}
