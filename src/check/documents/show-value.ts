import { cleanIdentifier } from '../../record/clean-text.ts';

const MOST_CHARACTERS = 80;

/** A value that a server sent, as JSON, safe to show and cut where it is long. */
export function showValue(value: unknown): string {
  const text = cleanIdentifier(JSON.stringify(value) ?? 'nothing', MOST_CHARACTERS + 1);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…` : text;
}
