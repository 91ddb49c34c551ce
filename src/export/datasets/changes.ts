import { ChangeLine } from '../../directory/schema/change-line.ts';
import type { Change, ChangedField, DomainChange } from '../../model/change.ts';
import { FACT_LEAVES, HOSTING_LEAVES } from '../../model/facts/fact-leaves.ts';
import type { FactValue } from '../../model/facts/fact-value.ts';
import type { InstanceHistory } from '../../model/instance-record.ts';
import { hideInChange, type IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import { isoTime } from '../../model/time.ts';
import { columnsOf } from '../tables/column.ts';

export const changeColumns = columnsOf(ChangeLine);

/** The first facts of a domain, as changes. */
export function* firstLinesOf(history: InstanceHistory, isHidden: IsHidden): Iterable<ChangeLine> {
  const { domain } = history.record;
  for (const first of firstFactsOf(history))
    yield changeLineOf({ domain, cause: 'first', missing: null, ...first }, isHidden);
}

/** A change as published. */
export function changeLineOf(
  change: Omit<ChangeLine, 'changedAt' | 'before' | 'after' | 'domain'> & Omit<DomainChange, 'cause' | 'why'>,
  isHidden: IsHidden,
): ChangeLine {
  const { domain, at, field, from, to, cause } = hideInChange(change, isHidden);
  const missing = to === null && change.to !== null ? 'withheld' : change.missing;
  return { domain, changedAt: isoTime(at), field, before: from, after: to, missing, cause };
}

const RECORDED = FACT_LEAVES.filter(({ meta }) => meta.history !== undefined);

/** The first known facts of a domain that ever ran Loops: the current ones with all changes reverted. Without its state, which starts as `new`. */
function firstFactsOf({ record, facts, changes }: InstanceHistory) {
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
