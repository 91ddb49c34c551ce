import type { ChangedField } from '../../model/change.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { FACT_LEAVES } from '../../model/facts/fact-leaves.ts';
import type { FactValue } from '../../model/facts/fact-value.ts';
import type { InstanceHistory } from '../../model/instance-record.ts';
import type { Via } from '../../model/verdict.ts';

/** The facts of instances that are counted; of the version, the domain's is. */
const COUNTED = FACT_LEAVES.filter(({ meta }) => meta.statistics !== undefined && meta.history !== undefined);

/** What was known of a domain at some moment, by the paths of changes. */
export type PastFacts = Readonly<Partial<Record<ChangedField, FactValue>>>;

/** From a time on, until that of the next; milliseconds since the epoch. */
export interface Segment {
  readonly from: number;
  readonly facts: PastFacts;
}

/**
 * What was known of a domain since when, oldest first; the first segment begins before everything. Changes are taken back from what
 * holds now, newest first, and then made again. The last segment is what holds now, whatever the changes say.
 */
export function segmentsOf(history: InstanceHistory): Segment[] {
  const changes = [...history.changes()];
  const now = factsNow(history);
  const first: Record<string, FactValue> = { ...now };
  for (const { field, from } of changes.toReversed()) first[field] = from;
  const segments: { from: number; facts: Record<string, FactValue> }[] = [
    { from: Number.NEGATIVE_INFINITY, facts: first },
  ];
  for (const { at, field, to } of changes) {
    let last = segments.at(-1);
    if (last?.from !== at) {
      last = { from: at, facts: { ...last?.facts } };
      segments.push(last);
    }
    last.facts[field] = to;
  }
  const last = segments.at(-1);
  if (last !== undefined) last.facts = now;
  return segments;
}

function factsNow({ record, facts }: InstanceHistory): Record<string, FactValue> {
  return {
    state: record.state,
    conclusive: record.conclusive,
    via: record.via,
    version: record.version,
    aliasOf: record.aliasOf,
    noindex: record.host.noindex,
    pointsTo: record.host.canonicalHost,
    ...Object.fromEntries(COUNTED.map(({ path, get }) => [path, get(facts)])),
  };
}

/** Whether it could be listed then, were it not another name of one that is. */
export function isEligible({ conclusive, state, noindex }: PastFacts): boolean {
  return conclusive === 'loops' && (state === 'active' || state === 'failing') && noindex !== true;
}

/** What tells whether it was another name of an instance then. */
export function nameOf({ record }: InstanceHistory, { via, pointsTo }: PastFacts) {
  return {
    domain: record.domain,
    firstSeen: record.firstSeen,
    via: (via ?? null) as Via | null,
    canonicalHost: (pointsTo ?? null) as Domain | null,
  };
}
