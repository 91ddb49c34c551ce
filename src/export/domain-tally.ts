import type { DomainCounts } from './schema/domain-counts.ts';
import type { DomainLine } from './schema/domain-line.ts';

/** Adds up domains, one or more of a kind at a time. */
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
