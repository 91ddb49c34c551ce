const LINE_SEPARATORS = /[\u2028\u2029]/g;

/**
 * A value as JSON that is one line for every reader: U+2028 and U+2029, which some take for line ends, are escaped.
 * `JSON.stringify` itself escapes control characters and lone surrogates (ECMA-262, well-formed JSON.stringify).
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(LINE_SEPARATORS, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  );
}

/** Milliseconds since the epoch as ISO 8601 in UTC; null stays null. */
export function isoTime(at: number): string;
export function isoTime(at: number | null): string | null;
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** A share as it is published, to four digits, rounded down: the times of visits are not worth more. */
export function roundedShare<Share extends number | null>(share: Share): Share {
  return (share === null ? null : Math.floor(share * 10_000) / 10_000) as Share;
}
