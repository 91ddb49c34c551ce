import { UsageError } from '../command.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Parses an ISO 8601 date (its start in UTC), or a date and time (in UTC unless it has an offset).
 *
 * @param what the name of the value in error messages.
 * @returns milliseconds since the epoch.
 * @throws {UsageError} when the text is neither, or lies in the future.
 */
export function parsePastTime(what: string, text: string, now: number): number {
  const at = parse(text);
  if (at === null) {
    throw new UsageError(`${what} is ${text}; allowed: a date or time, such as 2026-03-01 or 2026-03-01T12:00:00Z`);
  }
  if (at > now) {
    throw new UsageError(`${what} is ${text}, which is in the future; it is ${new Date(now).toISOString()} now`);
  }
  return at;
}

function parse(text: string): number | null {
  const dateTime = TIME.exec(text);
  if (dateTime === null && !DATE.test(text)) return null;
  const iso = dateTime === null ? `${text}T00:00Z` : `${text.replace(' ', 'T')}${dateTime[1] === undefined ? 'Z' : ''}`;
  const at = Date.parse(iso);
  // Date.parse reads 31 February as 3 March.
  const day = text.slice(0, 10);
  const isDay = dayOf(Date.parse(`${day}T00:00Z`)) === day;
  return Number.isNaN(at) || !isDay ? null : at;
}

function dayOf(at: number): string | null {
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
}

/** @throws {UsageError} when the text is not a whole number in the range. */
export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${flag} is ${text}; allowed: a whole number from ${least} to ${most}`);
}

/** Resolves when the signal aborts, or at once if it already has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
