import type { Transform } from 'node:stream';
import { constants, createInflate, createInflateRaw, createUnzip, createZstdDecompress } from 'node:zlib';
import { AnswerError } from './failure.ts';

/**
 * The Accept-Encoding of every request: the encodings that {@link createDecoder} supports. Brotli is not among them: its decoder fills a
 * window of 16 MB before the first byte of output.
 */
export const ACCEPT_ENCODING = 'gzip, deflate, zstd';

/** The largest window of the zstd encoding (RFC 9659 section 3): 8 MB. */
const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** Encodings that are refused because they are not supported. Any other word is ignored: some servers send `utf-8` with a plain body. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['br', 'compress', 'x-compress', 'dcb', 'dcz']);

/**
 * A decoder for a Content-Encoding (RFC 9110 section 8.4.1). Null if there is no encoding, or an unknown one.
 *
 * @param start the first bytes of the body: some servers send `deflate` without the zlib wrapper (section 8.4.1.2).
 * @throws {AnswerError} for an unsupported encoding and for a list of encodings.
 */
export function createDecoder(encoding: string | undefined, start: Uint8Array): Transform | null {
  const name = encoding?.trim().toLowerCase() ?? '';
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createUnzip();
    case 'deflate':
      return isZlib(start) ? createInflate() : createInflateRaw();
    case 'zstd':
      return createZstdDecompress(ZSTD);
    default:
      if (!UNSUPPORTED.has(name) && !name.includes(',')) return null;
      throw new AnswerError('unsupported-encoding', `the body has the encoding "${name.slice(0, 40)}"`);
  }
}

/** Maximum bytes read of an encoded body. The limit `maxBytes` on its output does not suffice: empty gzip members have no output. */
export function maxEncodedBytes(maxBytes: number): number {
  return maxBytes + 65_536;
}

/** RFC 1950 section 2.2: the method is 8, and the first two bytes are a multiple of 31. */
function isZlib([first = 0, second]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (second === undefined || (first * 256 + second) % 31 === 0);
}
