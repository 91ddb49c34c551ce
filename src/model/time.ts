/** A time, in milliseconds since the epoch. */
export type EpochMs = number;

/** A monotonic clock, in milliseconds, for durations. It has no date. */
export type Clock = () => number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A time as ISO 8601 in UTC; null stays null. */
export function isoTime(at: EpochMs): string;
export function isoTime(at: EpochMs | null): string | null;
export function isoTime(at: EpochMs | null): string | null {
  if (at === null) return null;
  // Successive rows, such as the changes of one visit, often have the same time.
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() };
  return latest.text;
}

/** The minute of a time, in UTC: `2026-01-03 12:00`. */
export function minuteText(at: EpochMs | string): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** `2026-01-03 12:00 UTC`. */
export function utcText(at: EpochMs | string): string {
  return `${minuteText(at)} UTC`;
}

let latest = { at: Number.NaN, text: '' };
