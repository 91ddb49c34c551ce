import { byKey, COUNTS } from '../model/facts/fact-leaves.ts';
import { areCountsImplausible } from '../model/facts/usage-flags.ts';
import type { DomainCounts, DomainLine } from './schema/domain-line.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';
import type { InstanceCounts } from './schema/instances-file.ts';

export class InstanceTally {
  readonly counts: InstanceCounts;

  /** @param counts changed by {@link add}. */
  constructor(
    counts: InstanceCounts = {
      instances: 0,
      up: 0,
      down: 0,
      ...byKey(COUNTS, () => ({ total: null, reporting: 0, implausible: 0 })),
    },
  ) {
    this.counts = counts;
  }

  /** @param count -1 removes an entry that was added before. */
  add(entry: Pick<InstanceEntry, 'status' | 'usage' | 'flags'>, count: 1 | -1 = 1): void {
    this.counts.instances += count;
    this.counts[entry.status] += count;
    const isImplausible = areCountsImplausible(entry.usage, entry.flags);
    for (const { key } of COUNTS) {
      const value = entry.usage[key];
      if (value === null) continue;
      const sum = this.counts[key];
      if (isImplausible) {
        sum.implausible += count;
        continue;
      }
      sum.reporting += count;
      sum.total = sum.reporting === 0 ? null : (sum.total ?? 0) + count * value;
    }
  }
}

export class DomainTally {
  readonly counts: DomainCounts = {
    domains: 0,
    visited: 0,
    verdicts: { loops: 0, other: 0, unidentified: 0, unreachable: 0, declined: 0, alias: 0 },
    states: { new: 0, active: 0, failing: 0, dead: 0, gone: 0 },
  };

  add(line: Pick<DomainLine, 'verdict' | 'state'>, count = 1): void {
    this.counts.domains += count;
    this.counts.states[line.state] += count;
    if (line.verdict === null) return;
    this.counts.visited += count;
    this.counts.verdicts[line.verdict] += count;
  }
}
