const DAY_MS = 86_400_000;

/** The day (UTC) that a time lies in, in days since the epoch. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** A day as ISO 8601: `2026-11-20`. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
