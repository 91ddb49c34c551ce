import { escapeLength } from './decode-run.ts';
import { decodedNames } from './decoded-names.ts';
import { hostIn, portIn } from './host-in.ts';
import type { WrittenName } from './written-name.ts';

const BACKSLASH = 0x5c;
const DOT = 0x2e;
/** Of the ideographic dots in UTF-8. */
const FIRST_OF_DOTS: ReadonlySet<number> = new Set([0xe3, 0xef]);

/** What a byte may be of. */
const NOTHING = 0;
const NAME = 1;
const ESCAPE = 3;
const BEYOND_ASCII = 2;
const CLASSES = new Uint8Array(256).fill(BEYOND_ASCII, 0x80);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_')
  CLASSES[character.charCodeAt(0)] = NAME;
for (const character of '\\%&') CLASSES[character.charCodeAt(0)] = ESCAPE;

/**
 * The hosts that a text in UTF-8 names, in the order of the text: in any case, as A-labels or U-labels, with the escapes of JSON, URLs
 * and HTML. A name that is only part of a longer one is none. Takes time in proportion to the bytes, whatever they are.
 */
export function writtenNames(bytes: Uint8Array): WrittenName[] {
  const names: WrittenName[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    let mayHaveDot = false;
    let isPlain = true;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      const kind = CLASSES[byte];
      if (kind === NOTHING) break;
      const length = kind === ESCAPE ? escapeLength(bytes, at) : 1;
      if (length === 0) break;
      isPlain &&= kind === NAME;
      mayHaveDot ||= byte === DOT || kind === ESCAPE || FIRST_OF_DOTS.has(byte);
      at += length;
    }
    // A backslash that begins no escape of a character of a name takes the next one along: the `n` of a line feed is of no name.
    if (at === start) at += bytes[at] === BACKSLASH ? 2 : 1;
    else if (mayHaveDot && isPlain) addPlain(names, bytes, start, at);
    else if (mayHaveDot) names.push(...decodedNames(bytes, start, at));
  }
  return names;
}

/** Of a run that is written without escapes and in ASCII, as nearly all are. */
function addPlain(names: WrittenName[], bytes: Uint8Array, start: number, end: number): void {
  const text = latin1(bytes, start, end).toLowerCase();
  for (let next = 0; next < text.length; ) {
    const emptyLabel = text.indexOf('..', next);
    const pieceEnd = emptyLabel === -1 ? text.length : emptyLabel;
    const found = hostIn(text.slice(next, pieceEnd));
    const from = start + next + (found?.offset ?? 0);
    next = pieceEnd + 1;
    if (found === null) continue;
    const to = from + found.host.length;
    const port = portIn(latin1(bytes, to, Math.min(bytes.length, to + 7)));
    const within = from === start && bytes[start - 1] === BACKSLASH ? withoutFirst(found.host) : null;
    names.push({
      name: found.host + port,
      start: from,
      end: to,
      within: within === null ? [] : [{ name: within + port, start: from + 1, end: to, within: [] }],
    });
  }
}

/** In a text that is escaped twice, the letter of an escape (`\\n`) stands before the name. */
function withoutFirst(host: string): string | null {
  return /^[bfnrt]/.test(host) ? (hostIn(host.slice(1))?.host ?? null) : null;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}
