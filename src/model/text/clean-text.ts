/** The most characters kept of each text that a remote server sends. */
export const LENGTHS = {
  software: 100,
  version: 100,
  name: 200,
  description: 2_000,
  url: 500,
  mode: 50,
  format: 50,
  /** Of a value of the wrong type, in a note. */
  cited: 40,
} as const;

/** Control characters, line and paragraph separators, and the characters that turn the direction of text around (UAX #9). */
export const UNSAFE_CHARACTERS = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What there is to clean in a text; most texts have none of it, and this is found out in a tenth of the time. */
const UNCLEAN = /[^ -~]| {2}|^ | $/;

/** Text for people: unsafe characters become spaces, runs of white space one, and it is cut at `maxLength` characters. */
export function cleanText(value: string, maxLength: number): string {
  if (!UNCLEAN.test(value)) return cut(value, maxLength).trimEnd();
  return cut(value.toWellFormed().replace(UNSAFE_CHARACTERS, ' ').replace(/\s+/gu, ' ').trim(), maxLength).trimEnd();
}

/**
 * An identifier as it was given, spaces and capitals included: two names that differ must not look the same after it.
 * Unsafe characters become U+FFFD.
 */
export function cleanIdentifier(value: string, maxLength: number): string {
  return cut(value.toWellFormed().replace(UNSAFE_CHARACTERS, '\ufffd'), maxLength);
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : [...text].slice(0, maxLength).join('');
}
