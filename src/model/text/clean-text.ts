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

/** A text of nothing else looks empty. */
const INVISIBLE = /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\ufffd]*$/u;

/**
 * Cleans text for people: replaces unsafe characters by spaces, collapses white space, and truncates to `maxLength` characters. Empty if
 * nothing of it is visible.
 */
export function cleanText(value: string, maxLength: number): string {
  if (!UNCLEAN.test(value)) return truncate(value, maxLength).trimEnd();
  const spaced = value.toWellFormed().replace(UNSAFE_CHARACTERS, ' ').replace(/\s+/gu, ' ').trim();
  const clean = withoutGiants(truncate(spaced, maxLength)).trimEnd();
  return INVISIBLE.test(clean) ? '' : clean;
}

/**
 * Cleans an identifier: replaces each unsafe character by U+FFFD and truncates to `maxLength` characters. Spaces and capitals stay, so
 * that `Loops ` is not shown as `loops`.
 */
export function cleanIdentifier(value: string, maxLength: number): string {
  return withoutGiants(truncate(value.toWellFormed().replace(UNSAFE_CHARACTERS, '\ufffd'), maxLength));
}

/** What people write is shorter: a family with four skin tones has 11 code points, a syllable at most six letters. */
const LONGEST = { codePoints: 12, letters: 6 };
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Replaces each grapheme of many code points by U+FFFD: a browser cannot break it, so it would be wider or higher than any page. */
function withoutGiants(text: string): string {
  if (!/[^ -~]{7}/u.test(text)) return text;
  let clean = '';
  for (const { segment } of graphemes.segment(text)) {
    const isGiant =
      segment.length > LONGEST.letters &&
      ([...segment].length > LONGEST.codePoints || (segment.match(/\p{L}/gu)?.length ?? 0) > LONGEST.letters);
    clean += isGiant ? '\ufffd' : segment;
  }
  return clean;
}

function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : [...text].slice(0, maxLength).join('');
}
