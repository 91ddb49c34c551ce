const MOST_NAMED = 10;

/** All of them in one sentence, but at most ten: `a, b and 3 more`. Parts that have commas of their own take `; ` between them. */
export function nameAll(items: readonly string[], between: ', ' | '; ' = ', '): string {
  const named = items.slice(0, MOST_NAMED);
  const more = items.length - named.length;
  return more > 0 ? `${named.join(between)} and ${more} more` : named.join(between);
}
