import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanIdentifier, cleanText } from '../../../src/model/text/clean-text.ts';
import { ANY_CHARACTER } from '../../any-character.ts';

/** Control characters, line separators and bidirectional controls (UAX #9). */
const unsafe = [
  '\u0000',
  '\u0007',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u2028',
  '\u2029',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
];

describe('cleanText', () => {
  it.each(unsafe.map((character) => [character.codePointAt(0)?.toString(16), character]))(
    'replaces U+%s with a space',
    (_code, character) => {
      expect(cleanText(`a${character}b`, 100)).toBe('a b');
    },
  );

  it.each([
    ['runs of white space become one space', 'a \t\r\n  b', 'a b'],
    ['the ends are trimmed', '\n a \u00a0', 'a'],
    ['half a surrogate pair is replaced', 'a\ud800b', 'a\ufffdb'],
    ['markup is kept because it is escaped on output', '<b>&amp;', '<b>&amp;'],
    ['emoji with joiners are kept', '👩‍🚀 clips', '👩‍🚀 clips'],
    ['letters of every script are kept', 'סרטונים видео 短片', 'סרטונים видео 短片'],
    ['an empty text stays empty', '', ''],
    ['a text of invisible characters is empty', '\u200b\u2060\u3164\u2800\u00ad', ''],
    ['a text of combining marks is empty', '\u0301'.repeat(10_000), ''],
    ['a letter with many marks is replaced', `Cats ${`a${'\u0301'.repeat(50)}`}`, 'Cats \ufffd'],
    ['a grapheme of many letters is replaced', `${'\u1100'.repeat(50)} Cats`, '\ufffd Cats'],
    ['a family with skin tones is kept', '👨🏻‍👩🏻‍👧🏻‍👦🏻 clips', '👨🏻‍👩🏻‍👧🏻‍👦🏻 clips'],
    ['syllables of several letters and marks are kept', 'क्ष्म्य น้ำ 각', 'क्ष्म्य น้ำ 각'],
    ['a long word is kept, since it can be broken', 'カ'.repeat(90), 'カ'.repeat(90)],
  ])('%s', (_name, text, expected) => {
    expect(cleanText(text, 100)).toBe(expected);
  });

  it('cuts between characters, never within one', () => {
    expect(cleanText('🎬🎬🎬🎬', 3)).toBe('🎬🎬🎬');
    expect(cleanText('abcdef', 3)).toBe('abc');
    expect(cleanText('abc', 3)).toBe('abc');
    expect(cleanText('ab cdef', 3)).toBe('ab');
  });

  it('returns a short text without unsafe characters for any input, and leaves its own result unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, maxLength) => {
          const clean = cleanText(text, maxLength);
          expect([...clean].length).toBeLessThanOrEqual(maxLength);
          expect(clean.isWellFormed()).toBe(true);
          for (const character of unsafe) expect(clean).not.toContain(character);
          expect(cleanText(clean, maxLength)).toBe(clean);
        },
      ),
    );
  });
});

describe('cleanIdentifier', () => {
  it('keeps capitals and all spaces', () => {
    expect(cleanIdentifier(' My  Server ', 100)).toBe(' My  Server ');
  });

  it.each(unsafe.map((character) => [character.codePointAt(0)?.toString(16), character]))(
    'replaces U+%s with a visible character',
    (_code, character) => {
      expect(cleanIdentifier(`loops${character}`, 100)).toBe('loops\ufffd');
    },
  );

  it('replaces a grapheme of many letters or marks', () => {
    expect(cleanIdentifier(`1.0${'\u0e34'.repeat(60)}`, 100)).toBe('1.\ufffd');
  });

  it('cuts between characters', () => {
    expect(cleanIdentifier('🎬🎬🎬', 2)).toBe('🎬🎬');
  });
});
