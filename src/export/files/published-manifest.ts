import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Manifest, type ManifestFile } from '../schema/manifest.ts';

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
