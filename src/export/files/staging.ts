import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withExportErrors } from '../export-error.ts';
import type { ManifestFile } from '../schema/manifest.ts';
import { type Chunk, fileBlocks } from './blocks.ts';
import { type PublishedManifest, sha256Of } from './published-file.ts';
import { type FileToStage, type Part, type StagedFile, stageFiles } from './stage-file.ts';
import { type FileSystem, syncFolder } from './temporary-files.ts';

export interface StagingOptions {
  readonly dir: string;
  readonly generatedAt: string;
  readonly fs: FileSystem;
  readonly signal: AbortSignal | undefined;
  readonly published: PublishedManifest;
}

/** A file of this size fits into one network packet even without compression. */
const MAX_UNCOMPRESSED_BYTES = 1024;

/** The files of one export: all are written completely next to their targets, then renamed. */
export class Staging {
  readonly #options: StagingOptions;
  readonly #staged: StagedFile[] = [];
  /** The names in the new manifest, staged or unchanged. */
  #listed: ReadonlySet<string> = new Set();

  constructor(options: StagingOptions) {
    this.#options = options;
  }

  /** Stages files in one pass; returns their manifest entries. */
  async addAll(
    files: readonly (FileToStage & Pick<ManifestFile, 'schema' | 'isComplete'>)[],
    parts: Iterable<Part> | AsyncIterable<Part>,
  ): Promise<ManifestFile[]> {
    const staged = await stageFiles(files, parts, this.#options);
    this.#staged.push(...staged);
    return staged.map(({ name, bytes, sha256, rows }, index) => {
      const { schema = null, isComplete } = files[index] ?? {};
      return {
        ...{ name, bytes, sha256, schema },
        ...(rows !== undefined && { rows }),
        ...(isComplete !== undefined && { isComplete }),
      };
    });
  }

  /** Stages a file; returns its manifest entry. */
  async add(
    name: string,
    schema: string | null,
    chunks: Iterable<Chunk> | AsyncIterable<Uint8Array>,
    gzip = false,
  ): Promise<ManifestFile> {
    const [file] = await this.addAll([{ name, schema, gzip }], partsOf(chunks));
    return file as ManifestFile;
  }

  /**
   * Stages the compressed siblings of staged files, except of small ones, at the same time: zlib works on other threads. An unchanged
   * sibling of an unchanged file is not compressed again.
   */
  async addAllCompressed(files: readonly ManifestFile[]): Promise<ManifestFile[]> {
    // None may still be written when the export fails and discards them.
    const results = await Promise.allSettled(files.map((file) => this.#addCompressed(file)));
    return results.flatMap((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value ?? [];
    });
  }

  async #addCompressed(file: ManifestFile): Promise<ManifestFile | null> {
    if (file.bytes <= MAX_UNCOMPRESSED_BYTES) return null;
    const { dir, published } = this.#options;
    const name = `${file.name}.gz`;
    const before = published.findIntact(name);
    const isSame = before !== null && published.findIntact(file.name)?.sha256 === file.sha256;
    if (isSame && before.sha256 === (await sha256Of(join(dir, name)))) return { ...before, schema: file.schema };
    const staged = this.#staged.find((one) => one.name === file.name);
    return await this.add(name, file.schema, fileBlocks(staged?.path ?? join(dir, file.name)), true);
  }

  /** Sets the names in the manifest, without the manifest itself. Call it before `publish`. */
  setListed(names: Iterable<string>): void {
    this.#listed = new Set(names);
  }

  /** The names of the changed files. */
  changed(): ReadonlySet<string> {
    return new Set(this.#staged.filter((file) => file.changed).map((file) => file.name));
  }

  /**
   * Renames the files in the order of staging, the manifest last. Before the manifest, removes unlisted files and syncs the folders: if
   * this export is interrupted, the old manifest still lists the unlisted files, and a later export removes them.
   */
  async publish(folders: readonly string[]): Promise<void> {
    const { fs } = this.#options;
    const sync = async () => {
      for (const folder of folders) await syncFolder(folder, fs);
    };
    const manifest = this.#staged.at(-1);
    const changed = this.#staged.filter((file) => file.changed);
    for (const file of changed) {
      if (file === manifest) {
        await this.#removeUnlisted();
        await sync();
      }
      await file.publish();
    }
    if (changed.length > 0) await sync();
  }

  /** Removes files listed in the last manifest but not in this export. */
  async #removeUnlisted(): Promise<void> {
    const { dir, published } = this.#options;
    const gone = published.names().filter((name) => !this.#listed.has(name));
    for (const name of gone) await withExportErrors(join(dir, name), () => rm(join(dir, name), { force: true }));
  }

  /** Removes unpublished temporary files. */
  async discard(): Promise<void> {
    for (const file of this.#staged) await file.discard();
  }
}

async function* partsOf(chunks: Iterable<Chunk> | AsyncIterable<Uint8Array>): AsyncIterable<Part> {
  for await (const chunk of chunks) yield { file: 0, chunk };
}
