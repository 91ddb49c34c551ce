import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withExportErrors } from '../export-error.ts';
import { type Block, BlockEncoder, type Chunk, GENERATED_AT, Gzip } from './blocks.ts';
import { type PublishedFile, readPublishedFile, sha256Of } from './published-file.ts';
import { type FileSystem, temporaryName } from './temporary-files.ts';

export interface StageOptions {
  /** The export folder. */
  readonly dir: string;
  /** Replaces {@link GENERATED_AT}; ISO 8601 in UTC. */
  readonly generatedAt: string;
  readonly fs: FileSystem;
  readonly signal: AbortSignal | undefined;
}

/** A piece of one of the files that one pass writes. */
export interface Part {
  /** Index of the file. */
  readonly file: number;
  readonly chunk: Chunk;
  /** The number of rows in this piece; undefined: the file has none to count. */
  readonly rows?: number;
}

/** A complete file on disk, not yet under its final name. */
export interface StagedFile {
  readonly name: string;
  /** Size and SHA-256 of the file once published. */
  readonly bytes: number;
  readonly sha256: string;
  /** The sum of the rows of its parts; undefined when none has any. */
  readonly rows: number | undefined;
  /** Path of the content: the temporary file, or the published file if that stays. */
  readonly path: string;
  /** False when the published file has the same content and stays. */
  readonly changed: boolean;
  /** Renames it to its final name. */
  publish(): Promise<void>;
  /** Removes the temporary file; no effect after `publish`. */
  discard(): Promise<void>;
}

export interface FileToStage {
  /** Path relative to the export folder; its folder exists. */
  readonly name: string;
  /** Whether to compress its parts. */
  readonly gzip?: boolean;
}

/**
 * Writes the parts of files into temporary files next to the targets, and syncs those with changed content; otherwise removes them.
 *
 * @throws {ExportError} when one cannot be written; the temporary files are removed.
 */
export async function stageFiles(
  files: readonly FileToStage[],
  parts: Iterable<Part> | AsyncIterable<Part>,
  options: StageOptions,
): Promise<StagedFile[]> {
  const drafts: Draft[] = [];
  try {
    for (const file of files) drafts.push(await Draft.open(file, options));
    for await (const part of parts) {
      options.signal?.throwIfAborted();
      await drafts[part.file]?.add(part);
    }
    const staged: StagedFile[] = [];
    for (const draft of drafts) staged.push(await draft.finish());
    return staged;
  } catch (error) {
    for (const draft of drafts) await draft.discard();
    throw error;
  }
}

interface Opened extends Pick<StageOptions, 'fs' | 'generatedAt'> {
  readonly name: string;
  readonly target: string;
  readonly temporary: string;
  readonly published: PublishedFile | null;
  readonly handle: FileHandle;
  readonly gzip: Gzip | null;
}

/**
 * A file while it is written. Changes are detected without holding either text in memory: the new text is also hashed with the generation
 * time of the published one, and the hashes are compared.
 */
class Draft {
  readonly #to: Opened;
  readonly #encoder = new BlockEncoder();
  readonly #hash = createHash('sha256');
  #hashWithPublishedTime: Hash | null = null;
  #bytes = 0;
  #rows: number | undefined;

  static async open({ name, gzip = false }: FileToStage, { dir, fs, generatedAt }: StageOptions): Promise<Draft> {
    const target = join(dir, name);
    const temporary = join(dirname(target), temporaryName(basename(target)));
    const published = await readPublishedFile(target);
    const handle = await withExportErrors(target, () => fs.open(temporary, 'wx'));
    return new Draft({ name, target, temporary, fs, generatedAt, published, handle, gzip: gzip ? new Gzip() : null });
  }

  private constructor(to: Opened) {
    this.#to = to;
  }

  async add({ chunk, rows }: Part): Promise<void> {
    if (rows !== undefined) this.#rows = (this.#rows ?? 0) + rows;
    for (const block of this.#encoder.add(chunk)) await this.#put(block);
  }

  async finish(): Promise<StagedFile> {
    for (const block of this.#encoder.end()) await this.#put(block);
    for (const block of (await this.#to.gzip?.end()) ?? []) await this.#write(block);
    const sha256 = this.#hash.digest('hex');
    const comparable = this.#hashWithPublishedTime?.digest('hex') ?? sha256;
    const { name, target, temporary, published, handle, fs } = this.#to;
    const bytes = this.#bytes;
    const changed = published?.bytes !== bytes || (await sha256Of(target)) !== comparable;
    if (changed) await withExportErrors(target, () => handle.sync());
    await withExportErrors(target, () => handle.close());
    if (!changed) await removeTemporary(temporary);
    return {
      name,
      bytes,
      sha256: changed ? sha256 : comparable,
      rows: this.#rows,
      path: changed ? temporary : target,
      changed,
      publish: () => withExportErrors(target, () => fs.rename(temporary, target)),
      discard: () => removeTemporary(temporary),
    };
  }

  async discard(): Promise<void> {
    await this.#to.handle.close().catch(() => {});
    await removeTemporary(this.#to.temporary);
  }

  async #put(block: Block): Promise<void> {
    if (block === GENERATED_AT) {
      this.#hashWithPublishedTime ??= this.#hash.copy();
      this.#hashWithPublishedTime.update(this.#to.published?.generatedAt ?? '');
      await this.#write(Buffer.from(this.#to.generatedAt), false);
    } else if (this.#to.gzip === null) await this.#write(block);
    else for (const compressed of await this.#to.gzip.add(block)) await this.#write(compressed);
  }

  async #write(data: Uint8Array, isSame = true): Promise<void> {
    if (isSame) this.#hashWithPublishedTime?.update(data);
    this.#hash.update(data);
    this.#bytes += data.byteLength;
    await withExportErrors(this.#to.target, () => writeFully(this.#to.handle, data));
  }
}

function removeTemporary(path: string): Promise<void> {
  return rm(path, { force: true }).catch(() => {});
}

/** A write may be partial, for example when the disk is nearly full. */
async function writeFully(handle: FileHandle, data: Uint8Array): Promise<void> {
  for (let offset = 0; offset < data.byteLength; ) {
    const { bytesWritten } = await handle.write(data, offset);
    offset += bytesWritten;
  }
}
