import { DAY_MS } from '../model/time.ts';
import type { Step } from './schema/timeline.ts';

/** The day (UTC) of a time, in days since the epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** A day as ISO 8601: `2026-11-20`. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** A history of up to `day` days is shown by day, one of up to `week` days by week, and a longer one by month. */
const MAX_DAYS = { day: 112, week: 1_100 };
/** 1 January 1970 was a Thursday, three days after a Monday. */
const MONDAY_OFFSET = 3;

/** The length of the periods by which a history is shown. */
export function stepOf(firstDay: number, lastDay: number): Step {
  const length = lastDay - firstDay;
  if (length < MAX_DAYS.day) return 'day';
  return length < MAX_DAYS.week ? 'week' : 'month';
}

/** The first day of the period of a day, in days since the epoch. */
export function startOfPeriod(day: number, step: Step): number {
  if (step === 'day') return day;
  if (step === 'week') return Math.floor((day + MONDAY_OFFSET) / 7) * 7 - MONDAY_OFFSET;
  return dayOfIso(`${isoDay(day).slice(0, 7)}-01`);
}

/** Days that lead from the first day of any period into the next one, and never further. */
const STRIDES = { day: 1, week: 7, month: 31 } as const;

/** The first day of the following period. */
export function nextPeriod(start: number, step: Step): number {
  return startOfPeriod(start + STRIDES[step], step);
}

/** The day of an ISO date, in days since the epoch. */
export function dayOfIso(date: string): number {
  return dayOf(Date.parse(date));
}

/** The first days of all periods between two days, as ISO dates. */
export function periodsBetween(firstDay: number, lastDay: number, step: Step): string[] {
  const periods: string[] = [];
  for (let day = startOfPeriod(firstDay, step); day <= lastDay; day = nextPeriod(day, step)) periods.push(isoDay(day));
  return periods;
}
