import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withExportErrors } from '../export-error.ts';
import { blocksOf, type Chunk, GENERATED_AT } from './blocks.ts';
import { readPublishedFile, sha256Of } from './published-file.ts';
import { type FileSystem, temporaryName } from './temporary-files.ts';

export interface StageOptions {
  /** The export folder. */
  readonly dir: string;
  /** Path relative to `dir`; its folder exists. */
  readonly name: string;
  /** Text and bytes, or only bytes from a stream. */
  readonly chunks: Iterable<Chunk> | AsyncIterable<Uint8Array>;
  /** Replaces {@link GENERATED_AT}; ISO 8601 in UTC. */
  readonly generatedAt: string;
  readonly fs: FileSystem;
  readonly signal: AbortSignal | undefined;
}

/** A complete file on disk, not yet under its final name. */
export interface StagedFile {
  readonly name: string;
  /** Size and SHA-256 of the file once published. */
  readonly bytes: number;
  readonly sha256: string;
  /** Path of the content: the temporary file, or the published file if that stays. */
  readonly path: string;
  /** False when the published file has the same content and stays. */
  readonly changed: boolean;
  /** Renames it to its final name. */
  publish(): Promise<void>;
  /** Removes the temporary file; no effect after `publish`. */
  discard(): Promise<void>;
}

/**
 * Writes chunks into a temporary file next to the target, and syncs it if the content changed; otherwise removes it.
 *
 * Changes are detected without holding either text in memory: the new text is also hashed with the generation time of the published one,
 * and the hashes are compared.
 *
 * @throws {ExportError} when it cannot be written; the temporary file is removed.
 */
export async function stageFile({ dir, name, chunks, generatedAt, fs, signal }: StageOptions): Promise<StagedFile> {
  const target = join(dir, name);
  const temporary = join(dirname(target), temporaryName(basename(target)));
  const discard = () => rm(temporary, { force: true }).catch(() => {});

  const published = await readPublishedFile(target);
  const handle = await withExportErrors(target, () => fs.open(temporary, 'wx'));
  try {
    const hash = createHash('sha256');
    let hashWithPublishedTime: Hash | null = null;
    let bytes = 0;
    for await (const block of Symbol.asyncIterator in chunks ? chunks : blocksOf(chunks)) {
      signal?.throwIfAborted();
      const isStamp = block === GENERATED_AT;
      const data = isStamp ? Buffer.from(generatedAt) : block;
      if (isStamp) hashWithPublishedTime ??= hash.copy();
      hashWithPublishedTime?.update(isStamp ? (published?.generatedAt ?? '') : data);
      hash.update(data);
      bytes += data.byteLength;
      await withExportErrors(target, () => writeFully(handle, data));
    }
    const sha256 = hash.digest('hex');
    const comparable = hashWithPublishedTime?.digest('hex') ?? sha256;
    const changed = published?.bytes !== bytes || (await sha256Of(target)) !== comparable;
    if (changed) await withExportErrors(target, () => handle.sync());
    await withExportErrors(target, () => handle.close());
    if (!changed) await discard();

    const publish = () => withExportErrors(target, () => fs.rename(temporary, target));
    return {
      name,
      bytes,
      sha256: changed ? sha256 : comparable,
      path: changed ? temporary : target,
      changed,
      publish,
      discard,
    };
  } catch (error) {
    await handle.close().catch(() => {});
    await discard();
    throw error;
  }
}

/** A write may be partial, for example when the disk is nearly full. */
async function writeFully(handle: FileHandle, data: Uint8Array): Promise<void> {
  for (let offset = 0; offset < data.byteLength; ) {
    const { bytesWritten } = await handle.write(data, offset);
    offset += bytesWritten;
  }
}
