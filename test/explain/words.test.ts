import { expect, it } from 'vitest';
import { durationWords, fromNow, whenWords } from '../../src/explain/words.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [0, 'less than a minute'],
  [minute - 1, 'less than a minute'],
  [minute, '1 minute'],
  [59 * minute, '59 minutes'],
  [60 * minute, '1 hour'],
  [100 * minute, '2 hours'],
  [36 * hour, '36 hours'],
  [40 * hour, '2 days'],
  [60 * day, '60 days'],
  [90 * day, '3 months'],
  [800 * day, '2 years'],
])('%d ms are %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});

it('fromNow and whenWords distinguish past from future; whenWords gives the time in UTC', () => {
  const now = Date.UTC(2026, 0, 3, 12);
  expect(fromNow(now - 3 * hour, now)).toBe('3 hours ago');
  expect(whenWords(now + 3 * hour, now)).toBe('in 3 hours (2026-01-03 15:00 UTC)');
});
