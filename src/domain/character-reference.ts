const REPLACEMENT = 0xfffd;
const SEMICOLON = 0x3b;
/** Those of HTML's names that stand for a character of a host with a port. */
const NAMED: readonly (readonly [name: Uint8Array, value: number])[] = [
  [Buffer.from('period;'), 0x2e],
  [Buffer.from('colon;'), 0x3a],
];
const AMPERSAND_AGAIN = Buffer.from('amp;');
const MOST_DIGITS = 12;

/**
 * The character that a reference of HTML stands for which begins with the ampersand at `at`, and how many bytes it takes: `&#46;`, `&#x2e;`,
 * `&period;`; without its semicolon where it is a number, as browsers take it; and with an ampersand that was encoded once more (`&amp;#46;`).
 */
export function referenceAt(bytes: Uint8Array, at: number): { value: number; length: number } | null {
  let start = at + 1;
  while (startsWith(bytes, start, AMPERSAND_AGAIN)) start += AMPERSAND_AGAIN.length;
  if (bytes[start] !== 0x23) {
    const named = NAMED.find(([name]) => startsWith(bytes, start, name));
    return named === undefined ? null : { value: named[1], length: start + named[0].length - at };
  }
  const isHex = ((bytes[start + 1] ?? 0) | 0x20) === 0x78;
  const first = start + (isHex ? 2 : 1);
  let end = first;
  while (end < first + MOST_DIGITS && isDigit(bytes[end] ?? 0, isHex)) end++;
  if (end === first) return null;
  const value = Number.parseInt(String.fromCharCode(...bytes.subarray(first, end)), isHex ? 16 : 10);
  const length = end - at + (bytes[end] === SEMICOLON ? 1 : 0);
  return { value: value > 0x10ffff ? REPLACEMENT : value, length };
}

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  return word.every((byte, index) => bytes[at + index] === byte);
}

function isDigit(byte: number, isHex: boolean): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (isHex && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
