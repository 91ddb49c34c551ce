import { expect, test } from 'vitest';
import { selectHtml } from '../../src/sources/html/select-html.ts';

const select = (html: string, selector: string, attribute: string | null = null, first = false) =>
  selectHtml(new TextEncoder().encode(html), [{ selector, attribute, first }]);

function texts(...selectArguments: Parameters<typeof select>): string[] | string {
  const selection = select(...selectArguments);
  if (!selection.ok) return 'problem' in selection ? selection.problem : selection.badSelector;
  return selection.found.flat();
}

test('every selected text is unchanged up to the length limit', () => {
  const html = `<a href="https://é.example/\n&quot;\\">1</a><a>2</a><a href="${'x'.repeat(5_000)}">3</a>`;
  expect(texts(html, 'a', 'href')).toEqual(['https://é.example/\n"\\', '', 'x'.repeat(2_048)]);
  expect(texts(html, 'a', null, true)).toEqual(['1']);
  expect(texts(html, 'b')).toEqual([]);
});

test('the text of nested elements may repeat only a small multiple of the page', () => {
  expect(texts(`${'<i>'.repeat(500)}${'word '.repeat(300)}`, 'i')).toBe('has too much repeated text for "i"');
  expect(texts(`${'<i>'.repeat(5)}word`, 'i')).toEqual(Array(5).fill('word'));
});

test('an invalid selector is reported', () => {
  expect(texts('<p>', 'a[')).toBe('a[');
});
