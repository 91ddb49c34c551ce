import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Placeholder for the generation time. A different time alone does not count as a change. */
export const GENERATED_AT = Symbol('generatedAt');

/** A piece of a file: text, bytes valid until the next piece is requested, or the generation time. */
export type Chunk = string | Uint8Array | typeof GENERATED_AT;

const BLOCK_BYTES = 256 * 1024;

/** Used again, because new ones for each of a hundred small files keep the garbage collector busy. */
const unused: Uint8Array[] = [];

/** A buffer for as long as it is in scope. */
function takeBlock(): Disposable & { block: Uint8Array } {
  const block = unused.pop() ?? new Uint8Array(BLOCK_BYTES);
  return { block, [Symbol.dispose]: () => void unused.push(block) };
}

/**
 * Encodes chunks (UTF-8) into larger blocks; {@link GENERATED_AT} and bytes stay separate blocks. All blocks share one buffer: each is
 * valid only until the next is requested.
 */
export function* blocksOf(chunks: Iterable<Chunk>): Iterable<Uint8Array | typeof GENERATED_AT> {
  const encoder = new TextEncoder();
  using taken = takeBlock();
  const { block } = taken;
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

/** A file in blocks; each is valid until the next is requested. */
export async function* fileBlocks(path: string): AsyncIterable<Uint8Array> {
  await using handle = await open(path, 'r');
  using taken = takeBlock();
  const { block } = taken;
  for (;;) {
    const { bytesRead } = await handle.read(block, 0, BLOCK_BYTES);
    if (bytesRead === 0) return;
    yield block.subarray(0, bytesRead);
  }
}

/** Offset of the operating system in the gzip header (RFC 1952), and its value for "unknown". */
const SYSTEM = { offset: 9, unknown: 255 };
const GZIP_BLOCK_BYTES = 64 * 1024;

/** Bytes as one gzip member (RFC 1952), without time and operating system: equal input gives equal output. */
export async function* gzipped(blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: 6, chunkSize: GZIP_BLOCK_BYTES });
  // The loop below throws the errors of the pipeline.
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

/** Copies blocks, since a stream reads ahead and the buffer of a block is reused. */
async function* copies(blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const block of blocks) if (block.byteLength > 0) yield Buffer.from(block);
}
