import { constants, crc32, deflateRawSync } from 'node:zlib';

const blockBytes = 1_048_576;
/** RFC 1952 section 2.3: deflate, no flags, no time, best compression, an unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);

/**
 * A gzip file of one member that unpacks to so many spaces, about a thousandth of them in size. A block that is flushed whole
 * leans on nothing before it, so one is compressed and then repeated.
 */
export function gzipBomb(unpackedBytes: number): Buffer {
  const block = Buffer.alloc(blockBytes, ' ');
  const count = Math.floor(unpackedBytes / blockBytes);
  const rest = block.subarray(0, unpackedBytes % blockBytes);
  const packed = deflateRawSync(block, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  let checksum = 0;
  for (let index = 0; index < count; index += 1) checksum = crc32(block, checksum);
  checksum = crc32(rest, checksum);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(unpackedBytes % 2 ** 32, 4);
  const blocks = Array.from({ length: count }, () => packed);
  return Buffer.concat([header, ...blocks, deflateRawSync(rest, { level: 9 }), trailer]);
}
