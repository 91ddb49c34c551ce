import { deflateSync, inflateSync } from 'node:zlib';

const BLOCK_CHARACTERS = 256 * 1024;
/** Holds most blocks; the default, 16 KiB, would need many output buffers for each. */
const INFLATED_BYTES = 512 * 1024;

/**
 * Lines of text, compressed in memory. Several datasets read the instances; inflating them again costs far less than reading the database
 * again, and an instance takes about 50 bytes.
 */
export class PackedLines {
  readonly #blocks: Uint8Array[] = [];
  /** Lines that are not compressed yet. */
  #pending: string[] = [];
  #pendingCharacters = 0;

  /** @param line without a line feed. */
  add(line: string): void {
    this.#pending.push(line);
    this.#pendingCharacters += line.length;
    if (this.#pendingCharacters < BLOCK_CHARACTERS) return;
    // Copied, because the result of zlib can be a view that keeps a larger buffer in memory.
    this.#blocks.push(new Uint8Array(deflateSync(this.#pending.join('\n'), { level: 1 })));
    this.#pending = [];
    this.#pendingCharacters = 0;
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const block of this.#blocks) yield* inflateSync(block, { chunkSize: INFLATED_BYTES }).toString().split('\n');
    yield* this.#pending;
  }
}
