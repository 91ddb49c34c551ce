import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';

/** Each unit with its length in milliseconds, and the largest number shown of it. */
const UNITS = [
  ['minute', MINUTE_MS, 59],
  ['hour', HOUR_MS, 36],
  ['day', DAY_MS, 60],
  ['month', 2_629_800_000, 24],
  ['year', 31_557_600_000, Number.POSITIVE_INFINITY],
] as const;

export type DurationUnit = (typeof UNITS)[number][0];

/** A positive duration in milliseconds as a whole number of its unit, at least one minute: `[36, 'hour']`, `[2, 'day']`. */
export function roundedDuration(ms: number): readonly [number, DurationUnit] {
  // Compares the rounded count, so that the result is never 60 minutes.
  const [unit, length] = UNITS.find(([, size, most]) => Math.round(ms / size) <= most) ?? UNITS[4];
  return [Math.max(1, Math.round(ms / length)), unit];
}
