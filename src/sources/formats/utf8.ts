import { TextDecoder } from 'node:util';

/** The encoding of a text by its byte order mark or, in UTF-16 without one, by the zero bytes of its first two characters. */
function encodingOf([first, second, third, fourth]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  return 'utf-8';
}

/** Decodes UTF-8 or UTF-16, and removes a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** Bytes that decide the encoding. */
const START_BYTES = 4;

/** Streams a text in UTF-8 or UTF-16 as UTF-8 without a byte order mark. */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | null = new Uint8Array();
  let utf16: TextDecoder | null = null;
  for await (const chunk of chunks) {
    let piece = chunk;
    if (start !== null) {
      piece = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
      start = piece.length < START_BYTES ? piece : null;
      if (start !== null) continue;
      [piece, utf16] = openText(piece);
    }
    yield utf16 === null ? piece : Buffer.from(utf16.decode(piece, { stream: true }));
  }
  if (start !== null && start.length > 0) {
    const [piece, decoder] = openText(start);
    yield decoder === null ? piece : Buffer.from(decoder.decode(piece));
  } else if (utf16 !== null) yield Buffer.from(utf16.decode());
}

/** The start of a text without the byte order mark of UTF-8, and the decoder that removes that of UTF-16. */
function openText(start: Uint8Array): [Uint8Array, TextDecoder | null] {
  const encoding = encodingOf(start);
  if (encoding !== 'utf-8') return [start, new TextDecoder(encoding)];
  const hasMark = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
  return [hasMark ? start.subarray(3) : start, null];
}
