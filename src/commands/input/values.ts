import { UsageError } from '../command.ts';

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Whether the text is a date, as opposed to the name of a file. @throws {UsageError} for a day that does not exist. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const at = Date.parse(`${text}T00:00Z`);
  // Date.parse reads 31 February as 3 March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) {
    throw new UsageError(`there is no day ${text}; give a date such as 2026-03-01`);
  }
  return true;
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
