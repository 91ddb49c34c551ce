/** Maximum characters stored of each text that a remote server sends. */
export const LENGTHS = {
  software: 100,
  version: 100,
  name: 200,
  description: 2_000,
  url: 500,
  mode: 50,
  format: 50,
  /** A value of the wrong type, quoted in a note. */
  cited: 40,
} as const;

/** Control characters, line and paragraph separators, and characters that change the text direction (UAX #9). */
export const UNSAFE_CHARACTERS = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Matches any text that needs cleaning. Most need none, and this test takes a tenth of the time of cleaning. */
const UNCLEAN = /[^ -~]| {2}|^ | $/;

/** Cleans text for people: replaces unsafe characters by spaces, collapses white space, and truncates to `maxLength` characters. */
export function cleanText(value: string, maxLength: number): string {
  if (!UNCLEAN.test(value)) return truncate(value, maxLength).trimEnd();
  return truncate(
    value.toWellFormed().replace(UNSAFE_CHARACTERS, ' ').replace(/\s+/gu, ' ').trim(),
    maxLength,
  ).trimEnd();
}

/**
 * Cleans an identifier: replaces each unsafe character by U+FFFD and truncates to `maxLength` characters. Spaces and capitals stay, so
 * that `Loops ` is not shown as `loops`.
 */
export function cleanIdentifier(value: string, maxLength: number): string {
  return truncate(value.toWellFormed().replace(UNSAFE_CHARACTERS, '\ufffd'), maxLength);
}

function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : [...text].slice(0, maxLength).join('');
}
