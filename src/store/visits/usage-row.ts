import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import type { InstanceFacts } from '../../model/facts/instance-facts.ts';
import type { UsageTable } from '../schema/usage-table.ts';

type Usage = InstanceFacts['usage'];

/** The column of each count. */
export const COUNT_COLUMNS = {
  users: 'users',
  activeMonth: 'active_month',
  activeHalfyear: 'active_halfyear',
  posts: 'posts',
} as const satisfies Record<(typeof COUNTS)[number]['key'], keyof UsageTable>;

/** The counts by their names in the model, to be selected. */
export const selectedCounts = COUNTS.map(({ key }) => `${COUNT_COLUMNS[key]} as ${key}` as const);

export interface CountedRow extends Omit<Usage, 'asOf'> {
  /** Start of the visit that read the counts; null when none were read. */
  counted_at: number | null;
}

export function toUsage(row: CountedRow): Usage {
  const asOf = row.counted_at === null ? null : new Date(row.counted_at).toISOString();
  return { ...byKey(COUNTS, ({ key }) => row[key]), asOf };
}
