/** A calendar month in UTC: `2026-11`. */
export type Month = `${number}-${string}`;

/** @param at milliseconds since the epoch. */
export function monthOf(at: number): Month {
  return new Date(at).toISOString().slice(0, 7) as Month;
}

/** Start of the month, in milliseconds since the epoch. */
export function startOf(month: Month): number {
  return Date.parse(`${month}-01T00:00:00.000Z`);
}

/** 32 days after its start, a month is always over, and the next one is not. */
export function monthAfter(month: Month): Month {
  return monthOf(startOf(month) + 32 * 86_400_000);
}
