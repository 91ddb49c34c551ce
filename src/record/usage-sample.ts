import type { Domain } from '../domain/domain.ts';

/** The counts of an instance as one visit read them (specification 2.7). Null is unknown, which is not 0. */
export interface UsageSample {
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
  users: number | null;
  activeMonth: number | null;
  activeHalfyear: number | null;
  posts: number | null;
}

/** The last counts that were read of an instance on one day (UTC). */
export interface DailyUsage extends UsageSample {
  domain: Domain;
}
