import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';
import type { Tallies } from './dataset/dataset.ts';
import { datasets } from './dataset/datasets.ts';
import { DomainTally } from './domain-tally.ts';
import type { ExportSource } from './export-source.ts';
import type { Chunk } from './file/chunk.ts';
import { type FileSystem, fileSystem } from './file/file-system.ts';
import { namingFile } from './file/naming-file.ts';
import { type StagedFile, stageFile } from './file/stage-file.ts';
import { sweepTemporaries } from './file/sweep-temporaries.ts';
import { syncFolder } from './file/sync-folder.ts';
import { InstanceTally } from './instance-tally.ts';
import { isoTime } from './iso-time.ts';
import { manifestText } from './manifest-text.ts';
import { jsonSchemaText } from './schema/json-schema-text.ts';
import { Manifest, type ManifestFile } from './schema/manifest.ts';

const MANIFEST = { name: 'manifest.json', schema: 'schema/manifest.json', shape: Manifest };

export interface ExportOptions {
  readonly source: ExportSource;
  /** The export folder; made when it does not exist. */
  readonly dir: string;
  /** Clock, milliseconds since the epoch; read once. */
  readonly now: () => number;
  readonly toolVersion: string;
  /** Aborting leaves the published files as they were, and the export rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly fs?: FileSystem;
}

/** What an export did. */
export interface ExportReport {
  readonly dir: string;
  /** When it was taken, ISO 8601 in UTC; a file that did not change keeps its earlier time. */
  readonly generatedAt: string;
  readonly counts: Manifest['counts'];
  /** Every file but the manifest, in its order. */
  readonly files: readonly (ManifestFile & { readonly changed: boolean })[];
  /** Whether any file was rewritten. */
  readonly changed: boolean;
}

/**
 * Writes every dataset, its JSON Schema and, last, the manifest.
 *
 * All files are first written in full beside their targets, then renamed one after the other: a failure before that
 * changes nothing, and a reader never sees a part of a file. A file that would say the same as before is not touched.
 *
 * @throws {ExportError} when a file cannot be written. What the source throws passes through.
 */
export async function exportAll(options: ExportOptions): Promise<ExportReport> {
  const { source, dir, now, toolVersion, signal, fs = fileSystem } = options;
  const generatedAt = isoTime(now());
  const folders = await prepareFolders(dir);

  const staged: StagedFile[] = [];
  const stage = async (name: string, schema: string | null, chunks: Iterable<Chunk>) => {
    const file = await stageFile({ dir, name, chunks, generatedAt, fs, signal });
    staged.push(file);
    return { name, bytes: file.bytes, sha256: file.sha256, schema };
  };
  try {
    const tallies: Tallies = { domains: new DomainTally(), instances: new InstanceTally() };
    const schemas: ManifestFile[] = [];
    for (const { schema, shape } of [...datasets, MANIFEST]) {
      schemas.push(await stage(schema, null, [jsonSchemaText(shape)]));
    }
    const data: ManifestFile[] = [];
    for (const { name, schema, chunks } of datasets) data.push(await stage(name, schema, chunks(source, tallies)));
    const files = [...data, ...schemas];
    await stage(MANIFEST.name, MANIFEST.schema, manifestText(toolVersion, tallies, files));

    signal?.throwIfAborted();
    await publish(staged, folders, fs);

    const changed = new Set(staged.filter((file) => file.changed).map((file) => file.name));
    const { instances, up, down } = tallies.instances.counts;
    return {
      dir,
      generatedAt,
      counts: { instances, up, down, ...tallies.domains.counts },
      files: files.map((file) => ({ ...file, changed: changed.has(file.name) })),
      changed: changed.size > 0,
    };
  } finally {
    for (const file of staged) await file.discard();
  }
}

/**
 * Makes the export folder and clears it of what killed exports left; called early, it tells of an unusable folder before
 * there is anything to write.
 *
 * @throws {ExportError} when the folder cannot be made, read or written to.
 */
export async function prepareFolders(dir: string): Promise<readonly string[]> {
  const folders = [join(dir, 'schema'), dir];
  await namingFile(dir, async () => {
    makeFolder(join(dir, 'schema'));
    for (const folder of folders) {
      accessSync(folder, constants.W_OK);
      await sweepTemporaries(folder);
    }
  });
  return folders;
}

/** Renames in the order of staging. The manifest, staged last, waits until what it lists is durable under its name. */
async function publish(staged: readonly StagedFile[], folders: readonly string[], fs: FileSystem): Promise<void> {
  const changed = staged.filter((file) => file.changed);
  for (const file of changed) {
    if (file.name === MANIFEST.name) for (const folder of folders) await syncFolder(folder, fs);
    await file.publish();
  }
  if (changed.length > 0) for (const folder of folders) await syncFolder(folder, fs);
}
