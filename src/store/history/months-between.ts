import { type Month, monthAfter, monthOf } from '../../model/month.ts';

/** The months from one time to another, inclusive; none when either is null. Epoch milliseconds. */
export function monthsBetween(first: number | null, last: number | null): Month[] {
  if (first === null || last === null) return [];
  const months: Month[] = [];
  const end = monthOf(Math.max(first, last));
  for (let month = monthOf(Math.min(first, last)); month <= end; month = monthAfter(month)) months.push(month);
  return months;
}
