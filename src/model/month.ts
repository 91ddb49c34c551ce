import { DAY_MS, type EpochMs } from './time.ts';

/** A calendar month in UTC: `2026-11`. */
export type Month = `${number}-${string}`;

export function monthOf(at: EpochMs): Month {
  return new Date(at).toISOString().slice(0, 7) as Month;
}

export function startOf(month: Month): EpochMs {
  return Date.parse(`${month}-01T00:00:00.000Z`);
}

/** 32 days after its start, a month is always over, and the next one is not. */
export function monthAfter(month: Month): Month {
  return monthOf(startOf(month) + 32 * DAY_MS);
}

/** The months from one time to another, inclusive, whichever comes first; none when either is null. */
export function monthsBetween(one: EpochMs | null, other: EpochMs | null): Month[] {
  if (one === null || other === null) return [];
  const months: Month[] = [];
  const end = monthOf(Math.max(one, other));
  for (let month = monthOf(Math.min(one, other)); month <= end; month = monthAfter(month)) months.push(month);
  return months;
}
