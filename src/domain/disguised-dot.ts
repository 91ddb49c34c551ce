const BACKSLASH = 0x5c;
const DOT = 0x2e;
/** A backslash may be escaped itself, twice over. */
const MOST_BACKSLASHES = 4;
const CLOSING: ReadonlyMap<number, number> = new Map([
  [0x28, 0x29],
  [0x5b, 0x5d],
  [0x7b, 0x7d],
]);

/** How many bytes a dot takes behind a backslash (`\.`), as in a regular expression, or in a string of JSON that holds one; 0 where there is none. */
export function backslashDotLength(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === BACKSLASH && end < at + MOST_BACKSLASHES) end++;
  return end > at && bytes[end] === DOT ? end + 1 - at : 0;
}

/** How many bytes a dot takes in brackets, which keep a name from being a link (`[.]`, `(dot)`); 0 where there is none. */
export function bracketedDotLength(bytes: Uint8Array, at: number): number {
  const closing = CLOSING.get(bytes[at] ?? 0);
  if (closing === undefined) return 0;
  const within = bytes[at + 1] === DOT ? 1 : isDotInWords(bytes, at + 1) ? 3 : 0;
  return within > 0 && bytes[at + 1 + within] === closing ? within + 2 : 0;
}

function isDotInWords(bytes: Uint8Array, at: number): boolean {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  return (first | 0x20) === 0x64 && (second | 0x20) === 0x6f && (third | 0x20) === 0x74;
}
