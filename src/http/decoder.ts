import type { Transform } from 'node:stream';
import { createBrotliDecompress, createInflate, createInflateRaw, createUnzip, createZstdDecompress } from 'node:zlib';

/** The Accept-Encoding of every request: the encodings that {@link createDecoder} supports. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/**
 * A decoder for a Content-Encoding (RFC 9110 section 8.4.1). Null without an encoding and for an unknown one.
 *
 * @param start the first bytes of the body: some servers send `deflate` without the zlib wrapper (section 8.4.1.2).
 */
export function createDecoder(encoding: string | undefined, start: Uint8Array): Transform | null {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createUnzip();
    case 'deflate':
      return isZlib(start) ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      return null;
  }
}

/** RFC 1950 section 2.2: the method is 8, and the first two bytes are a multiple of 31. */
function isZlib([first = 0, second]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (second === undefined || (first * 256 + second) % 31 === 0);
}
