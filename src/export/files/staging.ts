import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namingFile } from '../export-error.ts';
import type { ManifestFile } from '../schema/manifest.ts';
import { type Chunk, fileBlocks, gzipped } from './blocks.ts';
import { type PublishedManifest, sha256Of } from './published-file.ts';
import { type StagedFile, stageFile } from './stage-file.ts';
import { type FileSystem, syncFolder } from './temporary-files.ts';

export interface StagingOptions {
  readonly dir: string;
  readonly generatedAt: string;
  /** Whether a file that differs in its time alone is written anew. */
  readonly isPast: boolean;
  readonly fs: FileSystem;
  readonly signal: AbortSignal | undefined;
  readonly published: PublishedManifest;
}

/** A smaller file is sent in one packet anyway. */
const SMALLEST_COMPRESSED_BYTES = 1024;

/** The files of one export: first all are written in full beside their targets, then renamed. */
export class Staging {
  readonly #options: StagingOptions;
  readonly #staged: StagedFile[] = [];
  /** What the manifest will list: staged, or left as it was published. */
  #listed: ReadonlySet<string> = new Set();

  constructor(options: StagingOptions) {
    this.#options = options;
  }

  /** Stages a file; answers what the manifest says of it. */
  async add(
    name: string,
    schema: string | null,
    chunks: Iterable<Chunk> | AsyncIterable<Uint8Array>,
    more: Pick<ManifestFile, 'isComplete'> = {},
  ): Promise<ManifestFile> {
    const { published: _, ...options } = this.#options;
    const file = await stageFile({ ...options, name, chunks });
    this.#staged.push(file);
    return { name, bytes: file.bytes, sha256: file.sha256, schema, ...more };
  }

  /**
   * Stages the compressed sibling of a file that was staged; null for one too small to be worth it. What was compressed before is
   * not compressed again: a sibling is left alone when the last manifest lists it beside the same file, and it has not been touched.
   */
  async addCompressed(file: ManifestFile): Promise<ManifestFile | null> {
    if (file.bytes <= SMALLEST_COMPRESSED_BYTES) return null;
    const { dir, published } = this.#options;
    const name = `${file.name}.gz`;
    const before = published.intact(name);
    const isSame = before !== null && published.intact(file.name)?.sha256 === file.sha256;
    if (isSame && before.sha256 === (await sha256Of(join(dir, name)))) return { ...before, schema: file.schema };
    const staged = this.#staged.find((one) => one.name === file.name);
    return await this.add(name, file.schema, gzipped(fileBlocks(staged?.path ?? join(dir, file.name))));
  }

  /** Says what the manifest lists, itself left out; before it is published. */
  list(names: Iterable<string>): void {
    this.#listed = new Set(names);
  }

  /** The names of the files that say something else than those published. */
  changed(): ReadonlySet<string> {
    return new Set(this.#staged.filter((file) => file.changed).map((file) => file.name));
  }

  /**
   * Renames in the order of staging. The last one, the manifest, waits until what it lists is durable under its name, and until what
   * it lists no more is gone: as long as it lists a file, a later export knows that the file is to go.
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

  /** Removes files that the last manifest lists and this export does not. */
  async #removeUnlisted(): Promise<void> {
    const { dir, published } = this.#options;
    const gone = published.names().filter((name) => !this.#listed.has(name));
    for (const name of gone) await namingFile(join(dir, name), () => rm(join(dir, name), { force: true }));
  }

  /** Removes what was staged and not published. */
  async discard(): Promise<void> {
    for (const file of this.#staged) await file.discard();
  }
}
