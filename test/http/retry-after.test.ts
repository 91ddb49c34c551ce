import { afterEach, describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/http/failure.ts';

const now = Date.UTC(2026, 7, 1, 12, 0, 0);

describe('parseRetryAfter', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['zero seconds', '0', 0],
    ['seconds surrounded by white space', '  30\t', 30_000],
    ['a date', 'Sat, 01 Aug 2026 12:02:00 GMT', 120_000],
    ['a date in the RFC 850 format', 'Saturday, 01-Aug-26 12:02:00 GMT', 120_000],
    ['a date in the asctime format', 'Sat Aug  1 12:02:00 2026', 120_000],
    ['a past date', 'Fri, 31 Jul 2026 12:00:00 GMT', 0],
    ['a very long wait', '999999999', 999_999_999_000],
    ['a wait of ten digits as the maximum', '1000000000', 999_999_999_000],
    ['a wait beyond the range of numbers as the maximum', '9'.repeat(400), 999_999_999_000],
    ['a wait with leading zeros', '0000000000120', 120_000],
  ])('reads %s', (_what, value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    '   ',
    'soon',
    '-5',
    '1.5',
    '1e3',
    '0x10',
    '12 s',
    '2026-08-01',
    'Sat',
    'Satisfied',
    'never',
  ])('returns null for %j', (value) => {
    expect(parseRetryAfter(value, now)).toBeNull();
  });
});

describe('the time zone of the machine', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  it.each(['Sat Aug  1 12:02:00 2026', 'Saturday, 01-Aug-26 12:02:00 GMT', 'Sat, 01 Aug 2026 12:02:00 GMT'])(
    'does not change the result for %s',
    (value) => {
      process.env.TZ = 'Asia/Tokyo';
      expect(parseRetryAfter(value, now)).toBe(120_000);
    },
  );
});
