import { byKey, COUNTS } from '../record/facts/fact-leaves.ts';
import type { InstanceCounts } from './schema/instance-counts.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';

/** Adds up instances one at a time. */
export class InstanceTally {
  readonly counts: InstanceCounts = {
    instances: 0,
    up: 0,
    down: 0,
    ...byKey(COUNTS, () => ({ total: null, reporting: 0 })),
  };

  add(entry: Pick<InstanceEntry, 'status' | 'usage'>): void {
    this.counts.instances += 1;
    this.counts[entry.status] += 1;
    for (const { key } of COUNTS) {
      const value = entry.usage[key];
      if (value === null) continue;
      const sum = this.counts[key];
      sum.total = (sum.total ?? 0) + value;
      sum.reporting += 1;
    }
  }
}
