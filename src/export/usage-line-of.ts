import type { DailyUsage } from '../record/daily-usage.ts';
import { isoTime } from './iso-time.ts';
import type { UsageLine } from './schema/usage-line.ts';

/** The counts of a day as they are published. */
export function usageLineOf(usage: DailyUsage): UsageLine {
  return { ...usage, at: isoTime(usage.at) };
}
