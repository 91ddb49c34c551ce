import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { UsageSample } from '../../model/facts/usage-sample.ts';
import type { UsageTable } from '../schema/usage-table.ts';

type Counts = Pick<UsageTable, 'users' | 'active_month' | 'active_halfyear' | 'posts'>;

export const countColumns = ['users', 'active_month', 'active_halfyear', 'posts'] as const;

export function toUsageSample(row: Counts & { at: number }): UsageSample {
  return {
    at: row.at,
    users: row.users,
    activeMonth: row.active_month,
    activeHalfyear: row.active_halfyear,
    posts: row.posts,
  };
}

/** @param row `counted_at` is the start of the visit that read the counts; null when none were read. */
export function toUsage(row: Counts & { counted_at: number | null }): InstanceFacts['usage'] {
  return {
    users: row.users,
    activeMonth: row.active_month,
    activeHalfyear: row.active_halfyear,
    posts: row.posts,
    asOf: row.counted_at === null ? null : new Date(row.counted_at).toISOString(),
  };
}

/** The counts as columns; null when none is known, and then no row is kept. */
export function toCounts({ users, activeMonth, activeHalfyear, posts }: InstanceFacts['usage']): Counts | null {
  if (users === null && activeMonth === null && activeHalfyear === null && posts === null) return null;
  return { users, active_month: activeMonth, active_halfyear: activeHalfyear, posts };
}
