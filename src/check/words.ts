import { cleanIdentifier } from '../model/text/clean-text.ts';

/** What a server sent in a header or a line, safe to show and cut where it is long. */
export function showText(text: string): string {
  return cutTo(120, text);
}

/** A value that a server sent, as JSON, safe to show and cut where it is long. */
export function showValue(value: unknown): string {
  return cutTo(80, JSON.stringify(value) ?? 'nothing');
}

function cutTo(most: number, text: string): string {
  const clean = cleanIdentifier(text, most + 1);
  return clean.length > most ? `${clean.slice(0, most).toWellFormed()}…` : clean;
}

const MOST_NAMED = 10;

/** All of them in one sentence, but at most ten: `a, b and 3 more`. Parts that have commas of their own take `; ` between them. */
export function nameAll(items: readonly string[], between: ', ' | '; ' = ', '): string {
  const named = items.slice(0, MOST_NAMED);
  const more = items.length - named.length;
  return more > 0 ? `${named.join(between)} and ${more} more` : named.join(between);
}
