import type { ChangedField, FactChange } from './change.ts';
import type { DomainRecord } from './domain-record.ts';
import { HOSTING_LEAVES } from './facts/fact-leaves.ts';
import type { FactValue } from './facts/fact-value.ts';

/**
 * Compares a domain before and after a visit. Learning a fact for the first time is not a change: a first visit changes only the
 * state, and `identifiedAs` if it found Loops. The software is compared from the first conclusive verdict on, and `noindex` from the
 * first answer on. From then on, a fact that becomes known or unknown changes from or to null. An instance that has only declined for
 * days keeps its software, though nothing identifies it any more. Facts about the address change only with the address: a newer
 * database that says something else about the same address corrects them, and no host has moved.
 */
export function findDomainChanges(before: DomainRecord, after: DomainRecord): FactChange[] {
  const changes: FactChange[] = [];
  const compare = (field: ChangedField, from: FactValue, to: FactValue, why: string | null = null) => {
    if (from !== to) changes.push({ field, from, to, why });
  };
  compare('state', before.state, after.state, after.stateWhy);
  if (before.lastVisit !== null || after.identifiedAs === 'loops') {
    compare('identifiedAs', before.identifiedAs, after.identifiedAs);
  }
  if (before.identifiedAs !== null || before.wasEverLoops) {
    compare('via', before.via, after.via);
    compare('software', before.software, after.software);
    compare('version', before.version, after.version);
    compare('aliasOf', before.aliasOf, after.aliasOf);
    compare('pointsTo', before.host.canonicalHost, after.host.canonicalHost);
  }
  if (before.host.address !== null && after.host.address !== before.host.address) {
    for (const { path, get } of HOSTING_LEAVES) compare(path, get(before.host), get(after.host));
  }
  if (before.host.noindex !== null) compare('noindex', before.host.noindex, after.host.noindex);
  return changes;
}
