import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Where the header of RFC 1952 names the operating system, and what stands there for "unknown". */
const SYSTEM = { offset: 9, unknown: 255 };
/** Before it, the header has a time of modification: zlib leaves it 0. */
const BLOCK_BYTES = 64 * 1024;

/** Bytes as one gzip member (RFC 1952) that tells nothing of when and where it was made: equal bytes give equal bytes. */
export async function* gzipped(blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: 6, chunkSize: BLOCK_BYTES });
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
