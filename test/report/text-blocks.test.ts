import { expect, it } from 'vitest';
import { paragraphsOf, proseLine, textBlocks } from '../../src/report/text-blocks.ts';

it('textBlocks separates lines to paste, which stay unchanged, from paragraphs, which are cleaned', () => {
  expect(
    textBlocks('Do  this:\n\n    a {\n        b  c;\n\n    }\n\nThen that.\n\td\n```sh\ne  f\n\n   g\n```\n'),
  ).toEqual([
    { kind: 'prose', text: 'Do this:' },
    { kind: 'paste', lines: ['a {', '    b  c;', '', '}'] },
    { kind: 'prose', text: 'Then that.' },
    { kind: 'paste', lines: ['d', 'e  f', '', '   g'] },
  ]);
});

it('textBlocks removes control characters and limits the number of lines and characters', () => {
  const blocks = textBlocks(`    rm \u001b[2J\u202e\u0007x\ud800\n${'a\n'.repeat(500)}`);
  expect(blocks[0]).toEqual({ kind: 'paste', lines: ['rm \ufffd[2J\ufffd\ufffdx\ufffd'] });
  // Of 502 lines, the last of which is empty, 60 are kept.
  expect(blocks).toHaveLength(61);
  expect(blocks.at(-1)).toEqual({ kind: 'prose', text: 'and 442 more lines' });
  expect(proseLine('x'.repeat(5_000))).toBe(`${'x'.repeat(1_999)}…`);
});

it('paragraphsOf returns only paragraphs, even for indented or fenced lines', () => {
  expect(paragraphsOf('a\n    b\n\n```\nc')).toEqual(['a', 'b', '```', 'c']);
  // Twelve paragraphs, and one with the number of the others.
  expect(paragraphsOf('a\n'.repeat(20))).toHaveLength(13);
});

it.for<[what: string, text: string, expected: string]>([
  ['a zero-width space', 'lo\u200bops', 'lo<U+200B>ops'],
  ['a word joiner', 'lo\u2060ops', 'lo<U+2060>ops'],
  ['a soft hyphen', 'lo\u00adops', 'lo<U+00AD>ops'],
  ['a filler', '\u3164', '<U+3164>'],
  ['a joiner between letters that do not join', 'lo\u200dops', 'lo<U+200D>ops'],
  ['emoji joined from several characters', '👩🏽\u200d🚀 👨\u200d👩\u200d👧 ❤️', '👩🏽\u200d🚀 👨\u200d👩\u200d👧 ❤️'],
  ['a word that needs a joiner', 'می\u200cخواهم क\u094d\u200dष', 'می\u200cخواهم क\u094d\u200dष'],
])('proseLine shows every character of %s', ([, text, expected]) => {
  expect(proseLine(text)).toBe(expected);
});
