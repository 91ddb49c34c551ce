import { referenceAt } from './character-reference.ts';
import { backslashDotLength, bracketedDotLength } from './disguised-dot.ts';

/** A character of a text, and where in its bytes it is written. */
export interface WrittenCharacter {
  readonly codePoint: number;
  readonly start: number;
  /** Beyond its last byte. */
  readonly end: number;
  /** A dot behind a backslash, which may stand between two folders as well. */
  readonly isBackslashDot: boolean;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const DOT = 0x2e;
const REPLACEMENT = 0xfffd;

const hexAt = (bytes: Uint8Array, at: number, length: number): number => {
  let value = 0;
  for (let index = at; index < at + length; index++) {
    const byte = bytes[index] ?? 0;
    const digit = byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
    if (digit < 0 || digit > 15 || (byte > 0x39 && digit < 10)) return -1;
    value = value * 16 + digit;
  }
  return value;
};

/** How many bytes an escape takes that stands for one character, or for one byte of it; 0 where there is none. */
export function escapeLength(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case BACKSLASH:
      return bytes[at + 1] === 0x75 && hexAt(bytes, at + 2, 4) >= 0 ? 6 : backslashDotLength(bytes, at);
    case PERCENT: {
      const digits = percentDigits(bytes, at);
      return hexAt(bytes, digits, 2) >= 0 ? digits + 2 - at : 0;
    }
    case AMPERSAND:
      return referenceAt(bytes, at)?.length ?? 0;
    default:
      return bracketedDotLength(bytes, at);
  }
}

/** Where the two digits begin that count: a percent sign that was encoded once more is one all the same (`%252E`). */
function percentDigits(bytes: Uint8Array, at: number): number {
  let digits = at + 1;
  while (hexAt(bytes, digits, 2) === PERCENT && hexAt(bytes, digits + 2, 2) >= 0) digits += 2;
  return digits;
}

/** Reads a run of characters as people see them: escapes of JSON, of URLs and of HTML, dots in disguise, and UTF-8, as what they stand for. */
export function decodeRun(bytes: Uint8Array, start: number, end: number): WrittenCharacter[] {
  const characters: WrittenCharacter[] = [];
  for (let at = start; at < end; ) {
    const unit = unitAt(bytes, at);
    const more = followingOf(unit.value);
    let { end: reached } = unit;
    let codePoint = unit.isByte ? (more === 0 && unit.value > 0x7f ? REPLACEMENT : unit.value) : unit.value;
    if (unit.isByte && more > 0) {
      codePoint = unit.value & (0x3f >> more);
      for (let read = 0; read < more; read++) {
        const next = reached < end ? unitAt(bytes, reached) : null;
        if (next === null || !next.isByte || (next.value & 0xc0) !== 0x80) {
          codePoint = REPLACEMENT;
          break;
        }
        codePoint = codePoint * 64 + (next.value & 0x3f);
        reached = next.end;
      }
      if (codePoint > 0x10ffff) codePoint = REPLACEMENT;
    } else if (!unit.isByte && (unit.value & 0xfffffc00) === 0xd800 && reached < end) {
      const low = unitAt(bytes, reached);
      if (!low.isByte && (low.value & 0xfffffc00) === 0xdc00) {
        codePoint = 0x10000 + (unit.value - 0xd800) * 0x400 + (low.value - 0xdc00);
        reached = low.end;
      }
    }
    const isBackslashDot = bytes[at] === BACKSLASH && bytes[reached - 1] === DOT;
    characters.push({ codePoint, start: at, end: reached, isBackslashDot });
    at = reached;
  }
  return characters;
}

/** One byte, as it stands or in a URL's escape, or one character of an escape that names characters. */
function unitAt(bytes: Uint8Array, at: number): { value: number; end: number; isByte: boolean } {
  const length = escapeLength(bytes, at);
  const byte = bytes[at] ?? 0;
  if (length === 0) return { value: byte, end: at + 1, isByte: true };
  const end = at + length;
  if (byte === PERCENT) return { value: hexAt(bytes, end - 2, 2), end, isByte: true };
  if (byte !== AMPERSAND && (byte !== BACKSLASH || bytes[end - 1] === DOT)) return { value: DOT, end, isByte: false };
  if (byte === BACKSLASH) return { value: hexAt(bytes, end - 4, 4), end, isByte: false };
  return { value: referenceAt(bytes, at)?.value ?? REPLACEMENT, end, isByte: false };
}

/** How many bytes follow the first of a character in UTF-8 (RFC 3629 section 3). */
function followingOf(first: number): number {
  if (first >= 0xf0 && first < 0xf8) return 3;
  if (first >= 0xe0 && first < 0xf0) return 2;
  return first >= 0xc0 && first < 0xe0 ? 1 : 0;
}
