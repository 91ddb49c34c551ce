import { open } from 'node:fs/promises';

const BLOCK_BYTES = 256 * 1024;

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
