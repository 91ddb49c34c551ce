import { expect, test } from 'vitest';
import type { StatsRow } from '../../src/directory/schema/stats-row.ts';
import { trendsOf } from '../../src/directory/trends.ts';

const DAY_MS = 86_400_000;
const isoDay = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * DAY_MS).toISOString().slice(0, 10);

/** Rows for each day; `adopted` returns how many of the ten reporting instances run each version. */
function versionRows(days: number, adopted: (day: number) => Readonly<Record<string, number>>): StatsRow[] {
  return Array.from({ length: days }, (_, day) =>
    Object.entries(adopted(day)).map(
      ([key, value]): StatsRow => ({ date: isoDay(day), measure: 'version', key, value, reporting: 10, total: 12 }),
    ),
  ).flat();
}

test('a short history has a point per day', () => {
  const { step, measures } = trendsOf({ at: 0, rows: versionRows(30, () => ({ '1.0.0': 10 })) });
  expect(step).toBe('day');
  expect(measures.get('version')).toHaveLength(30);
});

test('a long history has a point for the last day of each week, and for each of the last 30 days', () => {
  const { step, measures } = trendsOf({ at: 0, rows: versionRows(200, (day) => ({ '1.0.0': day })) });
  expect(step).toBe('week');
  const points = measures.get('version') ?? [];
  // 1 January 2026 is a Thursday, so the first week ends three days later.
  expect(points.slice(0, 2).map(({ date }) => date)).toEqual(['2026-01-04', '2026-01-11']);
  expect(points.slice(-30).map(({ date }) => date)).toEqual(Array.from({ length: 30 }, (_, day) => isoDay(170 + day)));
  expect(points.at(-31)?.date).toBe('2026-06-14');
  expect(points[1]).toMatchObject({ reporting: 10, total: 12 });
  expect(points[1]?.values.get('1.0.0')).toBe(10);
});

test('a history of many years has a point for the last day of each month', () => {
  const { step, measures } = trendsOf({ at: 0, rows: versionRows(1_200, () => ({ '1.0.0': 10 })) });
  expect(step).toBe('month');
  const dates = (measures.get('version') ?? []).map(({ date }) => date);
  expect(dates.slice(0, 3)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
});

test('the days until half of the instances run a version are counted from its first day', () => {
  const rows = versionRows(20, (day) => ({
    '1.0.0': day < 3 ? 10 : Math.max(0, 13 - day),
    '1.1.0': day < 3 ? 0 : Math.min(10, day - 3),
  }));
  const { uptake } = trendsOf({ at: 0, rows });
  expect(uptake[0]).toEqual({ version: '1.1.0', since: isoDay(4), daysToHalf: 4, instances: 10, reporting: 10 });
  expect(uptake[1]).toMatchObject({ version: '1.0.0', since: null, daysToHalf: null });
});

test('a version that one instance claims does not count', () => {
  const rows = versionRows(5, () => ({ '1.0.0': 9, '99.0.0': 1 }));
  expect(trendsOf({ at: 0, rows }).uptake.map(({ version }) => version)).toEqual(['1.0.0']);
});

test('instances on a newer version count for the older one', () => {
  const rows = versionRows(
    10,
    (day): Record<string, number> =>
      day < 2 ? { '1.0.0': 10 } : day < 4 ? { '1.1.0': 3, '1.0.0': 7 } : { '1.2.0': 10 },
  );
  const { uptake } = trendsOf({ at: 0, rows });
  expect(uptake.find(({ version }) => version === '1.1.0')).toMatchObject({
    since: isoDay(2),
    daysToHalf: 2,
    instances: 0,
  });
});

test('without statistics no version has an uptake', () => {
  expect(trendsOf({ at: 0, rows: [] })).toMatchObject({ uptake: [] });
});
