import { decodeRun, type WrittenCharacter } from './decode-run.ts';
import { hostIn, isDot, isOuter, LONGEST_NAME, portIn } from './host-in.ts';
import { normaliseHost } from './normalise-host.ts';
import type { WrittenName } from './written-name.ts';

const DOT = 0x2e;
/** A colon and five digits, and what shows that there is no sixth. */
const PORT_LENGTH = 7;
const SEPARATOR = /[\p{P}\p{Z}\p{Cc}\ufffd]/u;
/** Characters of writing that puts no space between words, symbols, and what cannot be seen: a name may begin or end beside them. */
const BESIDE_NAMES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{S}\p{Cf}]/u;

type Characters = readonly WrittenCharacter[];

/** The hosts that a run of bytes names, some of which are beyond ASCII or written with escapes. */
export function decodedNames(bytes: Uint8Array, start: number, end: number): WrittenName[] {
  const names: WrittenName[] = [];
  // The port may be written behind the run.
  const behind = decodeRun(bytes, end, Math.min(bytes.length, end + PORT_LENGTH));
  const characters = decodeRun(bytes, start, end);
  let piece: WrittenCharacter[] = [];
  const close = (next: number): void => {
    const rest = next < characters.length ? characters.slice(next, next + PORT_LENGTH) : behind;
    const name = nameIn(piece, portIn(textOf(rest)));
    if (name !== null) names.push(name);
    piece = [];
  };
  for (const [index, character] of characters.entries()) {
    const { codePoint } = character;
    const isEmptyLabel = isDot(codePoint) && isDot(piece.at(-1)?.codePoint ?? DOT);
    if (isOfName(codePoint) && !isEmptyLabel) piece.push(character);
    else if (piece.length > 0) close(index);
  }
  close(characters.length);
  return names;
}

/** @param port what is written behind the last character, as {@link portIn} has it. */
function nameIn(all: Characters, port: string): WrittenName | null {
  const piece = trimmed(all);
  const [first, last] = [piece[0], piece.at(-1)];
  if (first === undefined || last === undefined || !piece.some(({ codePoint }) => isDot(codePoint))) return null;
  const behind = (end: WrittenCharacter) => (end === all.at(-1) ? port : '');
  if (piece.every(({ codePoint }) => codePoint < 0x80)) {
    const found = hostIn(textOf(piece).toLowerCase());
    const end = found === null ? undefined : piece[found.host.length - 1];
    const within = partsOf(piece, behind(last), ({ isBackslashDot }) => isBackslashDot);
    if (found === null || end === undefined)
      return within[0] === undefined ? null : { name: null, start: first.start, end: last.end, within };
    return { name: found.host + behind(end), start: first.start, end: end.end, within };
  }
  const beside = partsOf(piece, behind(last), isBesideNames);
  // Of the parts, each is looked at in the same way: no two of these may overlap.
  const within = beside.length > 0 ? beside : partsOf(piece, behind(last), ({ isBackslashDot }) => isBackslashDot);
  const normalised = piece.length <= LONGEST_NAME ? normaliseHost(textOf(piece)) : null;
  const name = normalised?.ok === true ? normalised.host + behind(last) : null;
  return name === null && within.length === 0 ? null : { name, start: first.start, end: last.end, within };
}

/** The names in a piece where a reader may see them begin and end. */
function partsOf(piece: Characters, port: string, isBetween: (character: WrittenCharacter) => boolean): WrittenName[] {
  const parts: WrittenName[] = [];
  let part: WrittenCharacter[] = [];
  let isWhole = true;
  const close = (behind: string): void => {
    const name = nameIn(part, behind);
    if (name !== null) parts.push(name);
    part = [];
  };
  for (const character of piece) {
    if (!isBetween(character)) part.push(character);
    else {
      isWhole = false;
      close('');
    }
  }
  if (!isWhole) close(port);
  return parts;
}

function isBesideNames({ codePoint }: WrittenCharacter): boolean {
  return codePoint > 0x7f && !isDot(codePoint) && BESIDE_NAMES.test(String.fromCodePoint(codePoint));
}

function trimmed(piece: Characters): Characters {
  let start = 0;
  let end = piece.length;
  while (start < end && isOuter(piece[start]?.codePoint ?? 0)) start++;
  while (end > start && isOuter(piece[end - 1]?.codePoint ?? 0)) end--;
  return piece.slice(start, end);
}

function isOfName(codePoint: number): boolean {
  const character = String.fromCodePoint(codePoint);
  return codePoint < 0x80 ? /[\w.-]/.test(character) : isDot(codePoint) || !SEPARATOR.test(character);
}

function textOf(characters: Characters): string {
  return characters.map(({ codePoint }) => String.fromCodePoint(codePoint)).join('');
}
