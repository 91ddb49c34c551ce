import type { Chunk, GENERATED_AT } from './chunk.ts';

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
