import { escapeLength } from './decode-run.ts';
import { decodedNames } from './decoded-names.ts';
import { hostIn, portIn } from './host-in.ts';
import type { WrittenName } from './written-name.ts';

const BACKSLASH = 0x5c;

/** What a byte may be of. */
const NOTHING = 0;
const NAME = 1;
const DOT = 2;
const BEYOND_ASCII = 3;
/** Beyond ASCII as well, and of the ideographic dots in UTF-8. */
const BEGINS_DOT = 4;
const ESCAPE = 5;
const CLASSES = new Uint8Array(256).fill(BEYOND_ASCII, 0x80);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_')
  CLASSES[character.charCodeAt(0)] = NAME;
for (const character of '\\%&([{') CLASSES[character.charCodeAt(0)] = ESCAPE;
CLASSES[0x2e] = DOT;
CLASSES.fill(BEGINS_DOT, 0xe3, 0xe4);
CLASSES.fill(BEGINS_DOT, 0xef, 0xf0);

/**
 * The hosts that a text in UTF-8 names, in the order of the text: in any case, as A-labels or U-labels, with the escapes of JSON, URLs
 * and HTML, and with dots in disguise (`[.]`, `(dot)`, `\.`). A name that is only part of a longer one is none. Takes time in proportion to the bytes, whatever they are.
 */
export function writtenNames(bytes: Uint8Array): WrittenName[] {
  const names: WrittenName[] = [];
  const inLatin1 = lazily(() => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    let mayHaveDot = false;
    let isPlain = true;
    for (let kind = CLASSES[bytes[at] ?? 0]; kind !== NOTHING && at < bytes.length; kind = CLASSES[bytes[at] ?? 0]) {
      if (kind === NAME) {
        at += 1;
        continue;
      }
      const length = kind === ESCAPE ? escapeLength(bytes, at) : 1;
      if (length === 0) break;
      isPlain &&= kind === DOT;
      mayHaveDot ||= kind !== BEYOND_ASCII;
      at += length;
    }
    // A backslash that begins no escape of a character of a name takes the next one along: the `n` of a line feed is of no name.
    if (at === start) at += bytes[at] === BACKSLASH ? 2 : 1;
    else if (mayHaveDot && isPlain) addPlain(names, inLatin1(), start, at);
    else if (mayHaveDot) for (const name of decodedNames(bytes, start, at)) names.push(name);
  }
  return names;
}

/** Of a run that is written without escapes and in ASCII, as nearly all are. */
function addPlain(names: WrittenName[], whole: string, start: number, end: number): void {
  const text = whole.slice(start, end).toLowerCase();
  for (let next = 0; next < text.length; ) {
    const emptyLabel = text.indexOf('..', next);
    const pieceEnd = emptyLabel === -1 ? text.length : emptyLabel;
    const found = hostIn(text.slice(next, pieceEnd));
    const from = start + next + (found?.offset ?? 0);
    next = pieceEnd + 1;
    if (found === null) continue;
    const to = from + found.host.length;
    const port = whole[to] === ':' ? portIn(whole.slice(to, to + 7)) : '';
    const within = from === start && whole[start - 1] === '\\' ? withoutFirst(found.host) : null;
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

function lazily(make: () => string): () => string {
  let made: string | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
