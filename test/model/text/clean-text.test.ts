import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanIdentifier, cleanText } from '../../../src/model/text/clean-text.ts';

/** Control characters, separators of lines, and everything that turns the direction of text (UAX #9). */
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
    'makes U+%s a space',
    (_code, character) => {
      expect(cleanText(`a${character}b`, 100)).toBe('a b');
    },
  );

  it.each([
    ['runs of white space are one', 'a \t\r\n  b', 'a b'],
    ['the ends are trimmed', '\n a \u00a0', 'a'],
    ['half a surrogate pair is replaced', 'a\ud800b', 'a\ufffdb'],
    ['markup is kept, for it is escaped where it is shown', '<b>&amp;', '<b>&amp;'],
    ['emoji with joiners are kept', '👩‍🚀 clips', '👩‍🚀 clips'],
    ['letters of every script are kept', 'סרטונים видео 短片', 'סרטונים видео 短片'],
    ['nothing stays nothing', '', ''],
  ])('%s', (_claim, text, expected) => {
    expect(cleanText(text, 100)).toBe(expected);
  });

  it('cuts by characters, never through one', () => {
    expect(cleanText('🎬🎬🎬🎬', 3)).toBe('🎬🎬🎬');
    expect(cleanText('abcdef', 3)).toBe('abc');
    expect(cleanText('abc', 3)).toBe('abc');
    expect(cleanText('ab cdef', 3)).toBe('ab');
  });

  it('gives, of any text, a short one without anything unsafe, that is clean already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
        const clean = cleanText(text, maxLength);
        expect([...clean].length).toBeLessThanOrEqual(maxLength);
        expect(clean.isWellFormed()).toBe(true);
        for (const character of unsafe) expect(clean).not.toContain(character);
        expect(cleanText(clean, maxLength)).toBe(clean);
      }),
    );
  });
});

describe('cleanIdentifier', () => {
  it('keeps capitals, spaces and their number', () => {
    expect(cleanIdentifier(' My  Server ', 100)).toBe(' My  Server ');
  });

  it.each(unsafe.map((character) => [character.codePointAt(0)?.toString(16), character]))(
    'shows that U+%s was there',
    (_code, character) => {
      expect(cleanIdentifier(`loops${character}`, 100)).toBe('loops\ufffd');
    },
  );

  it('cuts by characters', () => {
    expect(cleanIdentifier('🎬🎬🎬', 2)).toBe('🎬🎬');
  });
});
