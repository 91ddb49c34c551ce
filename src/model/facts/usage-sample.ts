import type { Domain } from '../domain/domain.ts';
import type { EpochMs } from '../time.ts';
import type { InstanceFacts } from './instance-facts.ts';

/** The counts that one visit read (specification 2.7). Null is unknown, not 0. */
export interface UsageSample extends Omit<InstanceFacts['usage'], 'asOf'> {
  /** Start of the visit. */
  at: EpochMs;
}

/** The last counts of an instance on one day (UTC). */
export interface DailyUsage extends UsageSample {
  domain: Domain;
  /** Why counts are missing, each as `COUNT=CODE`. */
  missing: string[];
}
