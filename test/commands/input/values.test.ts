import { expect, test } from 'vitest';
import { isDate } from '../../../src/commands/input/values.ts';

test('a date is told from the name of a file', () => {
  expect(['2026-03-01', '2024-02-29'].filter(isDate)).toEqual(['2026-03-01', '2024-02-29']);
  expect(['', '2026', '2026-03-01.json', 'history/2026-03-01', '2026-03-01T10:00Z'].filter(isDate)).toEqual([]);
});

test.each(['2026-13-01', '2026-02-30', '2026-00-10'])('%s is refused, because there is no such day', (text) => {
  expect(() => isDate(text)).toThrow(`there is no day ${text}; give a date such as 2026-03-01`);
});
