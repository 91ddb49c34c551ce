import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Placeholder for the generation time. A different time alone does not count as a change. */
export const GENERATED_AT = Symbol('generatedAt');

/** A piece of a file: text, bytes valid until the next piece is requested, or the generation time. */
export type Chunk = string | Uint8Array | typeof GENERATED_AT;

/** A part of a file to write. */
export type Block = Exclude<Chunk, string>;

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
export class BlockEncoder {
  readonly #encoder = new TextEncoder();
  readonly #block = unused.pop() ?? new Uint8Array(BLOCK_BYTES);
  #used = 0;

  *add(chunk: Chunk): Iterable<Block> {
    if (typeof chunk !== 'string') {
      yield* this.#flush();
      yield chunk;
      return;
    }
    for (let rest = chunk; rest !== ''; ) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#block.subarray(this.#used));
      this.#used += written;
      rest = rest.slice(read);
      if (rest !== '') yield* this.#flush();
    }
  }

  /** The last block. Nothing may be added after it. */
  *end(): Iterable<Block> {
    yield* this.#flush();
    unused.push(this.#block);
  }

  *#flush(): Iterable<Block> {
    if (this.#used === 0) return;
    yield this.#block.subarray(0, this.#used);
    this.#used = 0;
  }
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

/** Compresses bytes as one gzip member (RFC 1952), without time and operating system: equal input gives equal output. Runs on another thread. */
export class Gzip {
  readonly #stream = createGzip({ level: 6, chunkSize: GZIP_BLOCK_BYTES });
  /** What is being compressed. */
  readonly #block = unused.pop() ?? new Uint8Array(BLOCK_BYTES);
  #compressed: Buffer[] = [];
  #isFirst = true;
  #lastWrite = Promise.resolve();

  constructor() {
    this.#stream.on('data', (block: Buffer) => {
      if (this.#isFirst) block[SYSTEM.offset] = SYSTEM.unknown;
      this.#isFirst = false;
      this.#compressed.push(block);
    });
  }

  /** Adds a copy of a block; returns what is compressed by now. Waits for the block added before. */
  async add(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    await this.#lastWrite;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#block.set(bytes);
    this.#stream.write(this.#block.subarray(0, bytes.byteLength), (error) => (error ? reject(error) : resolve()));
    this.#lastWrite = promise;
    return this.#take();
  }

  /** The rest. */
  async end(): Promise<readonly Uint8Array[]> {
    await finished(this.#stream.end());
    unused.push(this.#block);
    return this.#take();
  }

  #take(): readonly Uint8Array[] {
    const compressed = this.#compressed;
    this.#compressed = [];
    return compressed;
  }
}
