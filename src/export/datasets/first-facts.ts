import type { Change, ChangedField } from '../../model/change.ts';
import { FACT_LEAVES, HOSTING_LEAVES } from '../../model/facts/fact-leaves.ts';
import type { FactValue } from '../../model/facts/fact-value.ts';
import type { InstanceHistory } from '../../model/instance-record.ts';

export interface FirstFact extends Pick<Change, 'field' | 'at' | 'from' | 'to'> {
  readonly from: null;
}

const RECORDED = FACT_LEAVES.filter(({ meta }) => meta.history !== undefined);

/** The first known facts of a domain that ever ran Loops: the current ones with all changes reverted. Without its state, which starts as `new`. */
export function firstFactsOf({ record, facts, changes }: InstanceHistory): FirstFact[] {
  const all = [...changes()];
  const ofHost = new Map<ChangedField, FactValue>([
    ['identifiedAs', record.identifiedAs],
    ['via', record.via],
    ['software', record.software],
    ['version', record.version],
    ['aliasOf', record.aliasOf],
    ['pointsTo', record.host.canonicalHost],
    ...HOSTING_LEAVES.map(({ path, get }) => [path, get(record.host)] as const),
  ]);
  const ofInstance = new Map<ChangedField, FactValue>(RECORDED.map(({ path, get }) => [path, get(facts)]));
  for (const { field, from } of all.toReversed()) {
    for (const values of [ofHost, ofInstance]) if (values.has(field)) values.set(field, from);
  }
  const timeOf = (isIt: (change: Change) => boolean) => all.find(isIt)?.at;
  const foundAt = timeOf(({ field, to }) => field === 'identifiedAs' && to === 'loops') ?? record.firstSeen;
  // The first visit is a change from `new`; if it identified a host other than Loops, that is no change.
  const identifiedAt =
    timeOf(({ field, from }) => field === 'identifiedAs' && from === null) ??
    timeOf(({ field, from }) => field === 'state' && from === 'new') ??
    foundAt;
  const known = (values: ReadonlyMap<ChangedField, FactValue>, at: number) =>
    [...values].flatMap(([field, to]) => (to === null ? [] : [{ field, at, from: null, to }]));
  return [...known(ofHost, identifiedAt), ...known(ofInstance, foundAt)];
}
