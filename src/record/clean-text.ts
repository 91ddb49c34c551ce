import { UNSAFE_CHARACTERS } from './unsafe-characters.ts';

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
