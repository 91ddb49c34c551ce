import { expect, test } from 'vitest';
import { daysOf, TIMELINE_DAYS } from '../../../src/directory/instance/timeline.ts';
import type { TimedVisit } from '../../../src/store/visits/uptimes.ts';

const hour = 3_600_000;
const midnight = Date.UTC(2026, 2, 10);
const at = midnight + 12 * hour;

/** A visit with the next one planned six hours later. */
function visit(start: number, changes: Partial<TimedVisit> = {}): TimedVisit {
  return { at: start, isUp: true, nextVisit: start + 6 * hour, durationMs: 200, reason: 'config-software', ...changes };
}

const failed = (start: number) => visit(start, { isUp: false, durationMs: 5_000, reason: 'connect-refused' });

/** Visits every six hours from `from` on, newest first. */
function everySixHours(from: number, make = visit): TimedVisit[] {
  const visits: TimedVisit[] = [];
  for (let start = from; start < at; start += 6 * hour) visits.unshift(make(start));
  return visits;
}

/** The entry of the day that was `number` days ago; 0: today. */
const dayAgo = (days: ReturnType<typeof daysOf>, number: number) => days.at(-1 - number);

test('the last day is today, and its coverage counts only the time until now', () => {
  const days = daysOf(everySixHours(midnight - 24 * hour), at);
  expect(days).toHaveLength(TIMELINE_DAYS);
  expect(dayAgo(days, 0)).toEqual({
    ...{ day: '2026-03-10', share: 1, coverage: 1, visits: 2, failed: 0, reason: null, responseMs: 200 },
  });
});

test('a day without visits is unknown, not down', () => {
  const days = daysOf(everySixHours(midnight - 24 * hour), at);
  expect(dayAgo(days, 2)).toMatchObject({
    day: '2026-03-08',
    share: null,
    coverage: 0,
    visits: 0,
    responseMs: null,
  });
});

test('an outage counts on the days that it covers', () => {
  const visits = everySixHours(midnight - 48 * hour, (start) =>
    start === midnight - 6 * hour || start === midnight - 12 * hour ? failed(start) : visit(start),
  );
  const days = daysOf(visits, at);
  expect(dayAgo(days, 1)).toMatchObject({
    // Down from 15 h to 3 h before midnight.
    share: 0.5,
    coverage: 1,
    visits: 4,
    failed: 2,
    reason: 'connect-refused',
  });
  expect(dayAgo(days, 0)).toMatchObject({ share: 1, failed: 0, reason: null });
});

test('a visit before the first day counts from the start of that day on', () => {
  const start = midnight - (TIMELINE_DAYS - 1) * 24 * hour - hour;
  const days = daysOf([visit(start + 48 * hour), visit(start, { nextVisit: start + 48 * hour })], at);
  expect(days[0]).toMatchObject({ share: 1, coverage: 1, visits: 0 });
});

test('the response time is the median of successful visits', () => {
  const durations = [100, 900, 300];
  const visits = durations.map((durationMs, index) => visit(midnight + (10 - index) * hour, { durationMs }));
  expect(dayAgo(daysOf([...visits, failed(midnight)], at), 0)).toMatchObject({ responseMs: 300, visits: 4 });
});

test('inconclusive visits are neither up nor down', () => {
  const days = daysOf(
    everySixHours(midnight - 48 * hour, (start) => visit(start, { isUp: null })),
    at,
  );
  expect(dayAgo(days, 1)).toMatchObject({ share: null, coverage: 0, visits: 4, failed: 0, responseMs: null });
});
