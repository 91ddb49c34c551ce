/**
 * A list of texts as one cell: the items joined by `; `. An item is written as a JSON string if it is empty or contains `;`, `"`, `\`, a
 * control character or a lone surrogate.
 */
export function joinItems(items: readonly string[]): string {
  return items.map(itemText).join('; ');
}

function itemText(item: string): string {
  const json = JSON.stringify(item);
  const isPlain = item !== '' && !item.includes(';') && json === `"${item}"`;
  return isPlain ? item : json;
}

/** A JSON string, or a plain item. */
const ITEM = /(?:^|; )("(?:[^"\\]|\\.)*"|[^;"]+)/g;

/**
 * The items of a cell written by {@link joinItems}.
 *
 * @throws {SyntaxError} for any other text.
 */
export function splitItems(text: string): string[] {
  const items = [...text.matchAll(ITEM)].map(([, item = '']) => (item.startsWith('"') ? JSON.parse(item) : item));
  if (joinItems(items) !== text) throw new SyntaxError(`not a list of items: ${text.slice(0, 100)}`);
  return items;
}
