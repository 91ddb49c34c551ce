import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Stands in a text for the time of its generation, which alone never makes a file count as changed. */
export const GENERATED_AT = Symbol('generatedAt');

/** A piece of a file: text, bytes that are valid until the next piece is asked for, or the time. */
export type Chunk = string | Uint8Array | typeof GENERATED_AT;

/** Large enough for few system calls, small enough to be nothing. */
const BLOCK_BYTES = 256 * 1024;

/**
 * Encodes chunks (UTF-8) into blocks worth a write; {@link GENERATED_AT} stays a block of its own, and so do bytes. One buffer serves
 * all blocks: each is valid only until the next is asked for.
 */
export function* blocksOf(chunks: Iterable<Chunk>): Iterable<Uint8Array | typeof GENERATED_AT> {
  const encoder = new TextEncoder();
  const block = new Uint8Array(BLOCK_BYTES);
  let used = 0;
  for (const chunk of chunks) {
    if (typeof chunk !== 'string') {
      yield block.subarray(0, used);
      used = 0;
      yield chunk;
      continue;
    }
    for (let rest = chunk; rest !== ''; ) {
      const { read, written } = encoder.encodeInto(rest, block.subarray(used));
      used += written;
      rest = rest.slice(read);
      if (rest === '') break;
      yield block.subarray(0, used);
      used = 0;
    }
  }
  yield block.subarray(0, used);
}

/** A file block by block; each is valid until the next is asked for. */
export async function* fileBlocks(path: string): AsyncIterable<Uint8Array> {
  await using handle = await open(path, 'r');
  const block = new Uint8Array(BLOCK_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(block, 0, BLOCK_BYTES);
    if (bytesRead === 0) return;
    yield block.subarray(0, bytesRead);
  }
}

/** Where the header of RFC 1952 names the operating system, and what stands there for "unknown". */
const SYSTEM = { offset: 9, unknown: 255 };
/** Before it, the header has a time of modification: zlib leaves it 0. */
const GZIP_BLOCK_BYTES = 64 * 1024;

/** Bytes as one gzip member (RFC 1952) that tells nothing of when and where it was made: equal bytes give equal bytes. */
export async function* gzipped(blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: 6, chunkSize: GZIP_BLOCK_BYTES });
  // Its failure comes out of the loop below.
  const fed = pipeline(Readable.from(copies(blocks), { objectMode: true, highWaterMark: 2 }), gzip).catch(() => {});
  try {
    let isFirst = true;
    for await (const block of gzip as AsyncIterable<Uint8Array>) {
      if (isFirst) block[SYSTEM.offset] = SYSTEM.unknown;
      isFirst = false;
      yield block;
    }
  } finally {
    gzip.destroy();
    await fed;
  }
}

/** A stream reads ahead, and the buffer of a block may be used again by then. */
async function* copies(blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const block of blocks) if (block.byteLength > 0) yield Buffer.from(block);
}
