import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFile, DataFolder } from '../../directory/data-folder.ts';
import { mediaTypeOf } from '../../directory/media-type.ts';
import { DataPackage, type DataResource } from '../../directory/schema/data-package.ts';
import { schemaPath } from '../../directory/schema/fields.ts';
import { DATA_PACKAGE } from '../datasets/data-package.ts';
import { HistoryIndex } from '../schema/history.ts';
import { Manifest } from '../schema/manifest.ts';
import { MANIFEST } from './exported-files.ts';

const INDEX = 'history/index.json';

/** Reads the folder again after each export. The returned function returns null before the first one. */
export function createDataFolder(dir: () => string): () => DataFolder | null {
  let known: { version: string; folder: DataFolder | null } | null = null;
  return () => {
    const path = join(dir(), MANIFEST);
    // The manifest is replaced last.
    const status = statSync(path, { throwIfNoEntry: false });
    const version = `${path} ${status?.mtimeMs} ${status?.ino}`;
    if (known?.version !== version) known = { version, folder: readDataFolder(dir()) };
    return known.folder;
  };
}

/** Null when nothing was exported yet, or the files are damaged. */
export function readDataFolder(dir: string): DataFolder | null {
  try {
    const dataPackage = DataPackage.parse(readJson(dir, DATA_PACKAGE));
    const about = [
      aboutFile(DATA_PACKAGE, 'Every file with its rows and columns, for tools that read data packages.'),
      aboutFile(MANIFEST, 'Every file with its size and SHA-256, and how the data were made.', 'manifest'),
    ];
    const { since, until } = Manifest.parse(readJson(dir, MANIFEST)).sampling ?? {};
    return {
      dataPackage,
      span: since == null || until == null ? null : `${since.slice(0, 10)}/${until.slice(0, 10)}`,
      files: [...dataPackage.resources, ...about].map((resource) => dataFileOf(dir, resource)),
      dated: HistoryIndex.parse(readJson(dir, INDEX)).files,
    };
  } catch {
    return null;
  }
}

function readJson(dir: string, name: string): unknown {
  return JSON.parse(readFileSync(join(dir, name), 'utf8'));
}

function aboutFile(path: string, description: string, schema?: string): DataResource {
  const jsonSchema = schema === undefined ? {} : { jsonSchema: schemaPath(schema) };
  return {
    name: path,
    path,
    description,
    format: 'json',
    mediatype: mediaTypeOf(path),
    bytes: 0,
    hash: '',
    ...jsonSchema,
  };
}

function dataFileOf(dir: string, { name: _, hash: __, ...resource }: DataResource): DataFile {
  const { size, mtimeMs } = statSync(join(dir, resource.path));
  const copy = statSync(join(dir, `${resource.path}.gz`), { throwIfNoEntry: false });
  return { ...resource, bytes: size, writtenAt: mtimeMs, compressedBytes: copy?.size ?? null };
}
