import type { ChangedField, FactChange } from './change.ts';
import type { DomainRecord } from './domain-record.ts';
import type { FactValue } from './facts/fact-value.ts';

/**
 * What is kept of a domain that is not what it was. To learn a fact for the first time is no change of it: a first visit changes the
 * state alone, and says so when it found Loops; what a host runs is compared from its first conclusive verdict on, and whether it
 * asks not to be published from the first answer on. After those, what becomes known or unknown has changed, from or to null.
 */
export function domainChanges(before: DomainRecord, after: DomainRecord): FactChange[] {
  const changes: FactChange[] = [];
  const compare = (field: ChangedField, from: FactValue, to: FactValue, why: string | null = null) => {
    if (from !== to) changes.push({ field, from, to, why });
  };
  compare('state', before.state, after.state, after.stateWhy);
  if (before.lastVisit !== null || after.conclusive === 'loops') {
    compare('conclusive', before.conclusive, after.conclusive);
  }
  if (before.conclusive !== null) {
    compare('via', before.via, after.via);
    compare('software', before.software, after.software);
    compare('version', before.version, after.version);
    compare('aliasOf', before.aliasOf, after.aliasOf);
    compare('pointsTo', before.host.canonicalHost, after.host.canonicalHost);
  }
  if (before.host.noindex !== null) compare('noindex', before.host.noindex, after.host.noindex);
  return changes;
}
