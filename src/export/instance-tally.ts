import type { InstanceCounts } from './schema/instance-counts.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';

const REPORTED = ['users', 'activeMonth', 'activeHalfyear', 'posts'] as const;

/** Adds up instances one at a time. */
export class InstanceTally {
  readonly counts: InstanceCounts = {
    instances: 0,
    up: 0,
    down: 0,
    users: { total: null, reporting: 0 },
    activeMonth: { total: null, reporting: 0 },
    activeHalfyear: { total: null, reporting: 0 },
    posts: { total: null, reporting: 0 },
  };

  add(entry: Pick<InstanceEntry, 'status' | 'usage'>): void {
    this.counts.instances += 1;
    this.counts[entry.status] += 1;
    for (const field of REPORTED) {
      const value = entry.usage[field];
      if (value === null) continue;
      const sum = this.counts[field];
      sum.total = (sum.total ?? 0) + value;
      sum.reporting += 1;
    }
  }
}
