import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { namingFile } from '../export-error.ts';
import { blocksOf, type Chunk, GENERATED_AT } from './blocks.ts';
import { publishedFile, sha256Of } from './published-file.ts';
import { type FileSystem, temporaryName } from './temporary-files.ts';

export interface StageOptions {
  /** The export folder. */
  readonly dir: string;
  /** Path of the file in it, whose folder exists. */
  readonly name: string;
  /** Pieces of text and bytes, or, when they are made by a stream, the bytes alone. */
  readonly chunks: Iterable<Chunk> | AsyncIterable<Uint8Array>;
  /** What {@link GENERATED_AT} stands for, ISO 8601 in UTC. */
  readonly generatedAt: string;
  /** Whether a file that differs in its time alone is written anew: that of a past moment, which tells no other. */
  readonly isPast: boolean;
  readonly fs: FileSystem;
  readonly signal: AbortSignal | undefined;
}

/** A file that is complete and on the disk, but not yet under its name. */
export interface StagedFile {
  readonly name: string;
  /** Size and SHA-256 of what stands under the name once this is published. */
  readonly bytes: number;
  readonly sha256: string;
  /** Where it lies until it is published. */
  readonly path: string;
  /** False when the published file already says the same; it is then left alone. */
  readonly changed: boolean;
  /** Puts it under its name in one step. */
  publish(): Promise<void>;
  /** Removes what was staged; harmless after `publish`. */
  discard(): Promise<void>;
}

/**
 * Writes a text into a temporary file beside its target, block by block, waiting for each write, and syncs it.
 *
 * Whether it changed is decided without holding either text: the new one is also hashed as if it had been generated
 * when the published one was, and the two hashes are compared; of a past moment, it is compared as it is.
 *
 * @throws {ExportError} when it cannot be written; nothing is left behind then.
 */
export async function stageFile({
  dir,
  name,
  chunks,
  generatedAt,
  isPast,
  fs,
  signal,
}: StageOptions): Promise<StagedFile> {
  const target = join(dir, name);
  const temporary = join(dirname(target), temporaryName(basename(target)));
  const discard = () => rm(temporary, { force: true }).catch(() => {});

  const published = await publishedFile(target);
  const handle = await namingFile(target, () => fs.open(temporary, 'wx'));
  try {
    const hash = createHash('sha256');
    let asOfPublished: Hash | null = null;
    let bytes = 0;
    for await (const block of Symbol.asyncIterator in chunks ? chunks : blocksOf(chunks)) {
      signal?.throwIfAborted();
      const isStamp = block === GENERATED_AT;
      const data = isStamp ? Buffer.from(generatedAt) : block;
      if (isStamp && !isPast) asOfPublished ??= hash.copy();
      asOfPublished?.update(isStamp ? (published?.generatedAt ?? '') : data);
      hash.update(data);
      bytes += data.byteLength;
      await namingFile(target, () => writeFully(handle, data));
    }
    const sha256 = hash.digest('hex');
    const comparable = asOfPublished?.digest('hex') ?? sha256;
    const changed = published?.bytes !== bytes || (await sha256Of(target)) !== comparable;
    if (changed) await namingFile(target, () => handle.sync());
    await namingFile(target, () => handle.close());
    if (!changed) await discard();

    const publish = () => namingFile(target, () => fs.rename(temporary, target));
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

/** One write may take only a part of the data, as when the disk is about to be full. */
async function writeFully(handle: FileHandle, data: Uint8Array): Promise<void> {
  for (let offset = 0; offset < data.byteLength; ) {
    const { bytesWritten } = await handle.write(data, offset);
    offset += bytesWritten;
  }
}
