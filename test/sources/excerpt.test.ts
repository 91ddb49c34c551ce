import { expect, it } from 'vitest';
import { excerpt } from '../../src/sources/formats/read-item.ts';

it('an excerpt of ordinary text is unchanged', () => {
  expect(excerpt('https://bücher.example/❤')).toBe('https://bücher.example/❤');
});

it('an excerpt has at most 200 characters, and marks a truncation', () => {
  expect(excerpt('x'.repeat(200))).toBe('x'.repeat(200));
  expect(excerpt('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  expect(excerpt('❤️'.repeat(5_000_000)).length).toBeLessThanOrEqual(200);
});

it('an excerpt omits a truncated word, so that no part of a name remains', () => {
  expect(excerpt(`${'x '.repeat(95)}loops.example and more`)).toBe(`${'x '.repeat(95)}…`);
  expect(excerpt(`loops.example ${'x'.repeat(300)}`)).toBe('loops.example …');
});

it.each([
  ['a terminal escape', '\u001b[31m'],
  ['NUL', '\0'],
  ['a line end', '\n'],
  ['a bidirectional override', '\u202e'],
  ['a bidirectional isolate', '\u2066'],
  ['a line separator', '\u2028'],
  ['a lone surrogate', '\ud800'],
])('an excerpt replaces %s', (_what, text) => {
  expect(excerpt(`a${text}b`)).toMatch(/^a\ufffd/);
});
