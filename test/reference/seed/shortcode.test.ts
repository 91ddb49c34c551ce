import { describe, expect, it } from 'vitest';
import { shortcode } from '../../../src/reference/seed/identifiers.ts';

describe('shortcode', () => {
  it('is at most 11 characters that need no escape in a URL', () => {
    // The last two: the largest signed 64-bit integer, and the largest number of 19 digits.
    for (const id of ['0', '1', '166927087436140544', '9223372036854775807', '9999999999999999999']) {
      expect(shortcode(id)).toMatch(/^[\w-]{1,11}$/);
    }
  });

  it('is that of live servers, from which the id follows', () => {
    expect(shortcode('301511283332957732')).toBe('gLbKEGRkoA');
  });

  it('differs for different ids', () => {
    const codes = Array.from({ length: 2_000 }, (_, index) =>
      shortcode(String(166_927_087_436_000_000n + BigInt(index))),
    );
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('is the escaped id when the id is not a number', () => {
    expect(shortcode('a/b c')).toBe('a%2Fb%20c');
  });
});
