import { dayOf, isoDay } from './history/stats-book.ts';
import type { Step } from './schema/timeline.ts';

/** Histories of up to this many days are shown day by day. */
const MAX_DAYS = 112;
/** 1 January 1970 was a Thursday. */
const MONDAY_OFFSET = 3;

/** Whether a history is shown by day or by week. */
export function stepOf(firstDay: number, lastDay: number): Step {
  return lastDay - firstDay < MAX_DAYS ? 'day' : 'week';
}

/** The first day of the period of a day, in days since the epoch. */
export function startOfPeriod(day: number, step: Step): number {
  return step === 'day' ? day : Math.floor((day + MONDAY_OFFSET) / 7) * 7 - MONDAY_OFFSET;
}

/** Number of days in a period. */
export function daysIn(step: Step): number {
  return step === 'day' ? 1 : 7;
}

/** The day of an ISO date, in days since the epoch. */
export function dayOfIso(date: string): number {
  return dayOf(Date.parse(date));
}

/** The first days of all periods between two days, as ISO dates. */
export function periodsBetween(firstDay: number, lastDay: number, step: Step): string[] {
  const periods: string[] = [];
  for (let day = startOfPeriod(firstDay, step); day <= lastDay; day += daysIn(step)) periods.push(isoDay(day));
  return periods;
}
