const UNITS = [
  ['minute', 60_000, 59],
  ['hour', 3_600_000, 36],
  ['day', 86_400_000, 60],
  ['month', 2_629_800_000, 24],
  ['year', 31_557_600_000, Number.POSITIVE_INFINITY],
] as const;

/** A stretch of time in words, rounded: `less than a minute`, `3 hours`, `12 days`. */
export function lengthOfTime(ms: number): string {
  const length = Math.abs(ms);
  if (length < 60_000) return 'less than a minute';
  // Judged by the rounded count, so that nothing is ever 60 minutes.
  for (const [unit, unitMs, most] of UNITS) {
    const count = Math.round(length / unitMs);
    if (count <= most) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'an age';
}

/** `3 hours ago`, `in 5 days`. */
export function fromNow(at: number, now: number): string {
  return at > now ? `in ${lengthOfTime(at - now)}` : `${lengthOfTime(now - at)} ago`;
}

/** `2026-01-03 12:00 UTC`. */
export function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `3 hours ago (2026-01-03 12:00 UTC)`. */
export function whenWords(at: number, now: number): string {
  return `${fromNow(at, now)} (${utc(at)})`;
}
