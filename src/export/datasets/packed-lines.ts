import { deflateSync, inflateSync } from 'node:zlib';

const BLOCK_CHARACTERS = 256 * 1024;

/**
 * Lines of text, compressed in memory. Several datasets read the instances; inflating them again costs far less than reading the database
 * again, and an instance takes about 50 bytes.
 */
export class PackedLines {
  readonly #blocks: Uint8Array[] = [];
  #last: string[] = [];
  #lastCharacters = 0;

  /** @param line without a line feed. */
  add(line: string): void {
    this.#last.push(line);
    this.#lastCharacters += line.length;
    if (this.#lastCharacters < BLOCK_CHARACTERS) return;
    this.#blocks.push(deflateSync(this.#last.join('\n'), { level: 1 }));
    this.#last = [];
    this.#lastCharacters = 0;
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const block of this.#blocks) yield* inflateSync(block).toString().split('\n');
    yield* this.#last;
  }
}
