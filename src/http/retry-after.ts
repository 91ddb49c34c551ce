/** A longer wait, some 30 years, is cut to this: beyond it, the sum with a date is soon none. */
const LONGEST_SECONDS = 999_999_999;

/**
 * `Retry-After` (RFC 9110 section 10.2.3) as milliseconds from now: whole seconds or an HTTP date. Null when it is absent
 * or is neither.
 *
 * @param now milliseconds since the epoch.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS) * 1_000;
  // Date.parse takes more than HTTP dates; each of their three forms begins with the name of a day.
  const isDate = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text);
  // One of the three names no zone; it is GMT all the same (RFC 9110 section 5.6.7).
  const date = isDate ? Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
