import type { Domain } from '../domain/domain.ts';
import type { UsageSample } from './usage-sample.ts';

/** The last counts that were read of an instance on one day (UTC). */
export interface DailyUsage extends UsageSample {
  domain: Domain;
}
