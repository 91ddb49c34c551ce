import { expect, test } from 'vitest';
import { parsePastTime } from '../../../src/commands/input/values.ts';

const now = Date.UTC(2026, 4, 1);

test.each([
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T12:30', '2026-03-01T12:30:00.000Z'],
  ['2026-03-01 12:30', '2026-03-01T12:30:00.000Z'],
  ['2026-03-01T12:30:15Z', '2026-03-01T12:30:15.000Z'],
  ['2026-03-01T12:30:15.250z', '2026-03-01T12:30:15.250Z'],
  ['2026-03-01T12:30:15+02:00', '2026-03-01T10:30:15.000Z'],
  ['2026-03-01T00:30:00+0200', '2026-02-28T22:30:00.000Z'],
])('parsePastTime reads %s as %s', (text, iso) => {
  expect(new Date(parsePastTime('A', text, now)).toISOString()).toBe(iso);
});

test.each([
  '',
  'yesterday',
  '2026',
  '2026-13-01',
  '2026-02-30',
  '2026-02-30T10:00Z',
  '1772323200',
  '2026-03-01T25:00Z',
  '01.03.2026',
])('parsePastTime refuses "%s" and shows the expected format', (text) => {
  expect(() => parsePastTime('A', text, now)).toThrow(/A is .*; allowed: a date or time, such as 2026-03-01 or/);
});

test('parsePastTime refuses a future time and states the current time', () => {
  expect(() => parsePastTime('--as-of', '2026-05-02', now)).toThrow(
    '--as-of is 2026-05-02, which is in the future; it is 2026-05-01T00:00:00.000Z now',
  );
  expect(parsePastTime('--as-of', '2026-05-01', now)).toBe(now);
});
