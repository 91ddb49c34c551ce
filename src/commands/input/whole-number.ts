import { UsageError } from '../command.ts';

/** @throws {UsageError} when the text is anything else. */
export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${flag} is ${text}; allowed: a whole number from ${least} to ${most}`);
}
