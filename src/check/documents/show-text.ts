import { cleanIdentifier } from '../../record/clean-text.ts';

const MOST_CHARACTERS = 120;

/** What a server sent in a header or a line, safe to show and cut where it is long. */
export function showText(text: string): string {
  const clean = cleanIdentifier(text, MOST_CHARACTERS + 1);
  return clean.length > MOST_CHARACTERS ? `${clean.slice(0, MOST_CHARACTERS).toWellFormed()}…` : clean;
}
