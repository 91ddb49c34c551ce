import type { ChangedField } from '../../model/change.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { FACT_LEAVES, HOSTING_LEAVES } from '../../model/facts/fact-leaves.ts';
import type { FactValue } from '../../model/facts/fact-value.ts';
import type { InstanceFlag } from '../../model/facts/instance-facts.ts';
import type { InstanceHistory } from '../../model/instance-record.ts';
import type { InstanceDomain } from '../../model/same-instance.ts';
import type { EpochMs } from '../../model/time.ts';
import type { Via } from '../../model/verdict.ts';

/** The facts that statistics need: counted ones, and flags, which mark implausible counts. The version comes from the domain record. */
const COUNTED = FACT_LEAVES.filter(
  ({ path, meta }) => path === 'flags' || (meta.statistics !== undefined && meta.history !== undefined),
);

/** The facts of a domain at a past time, keyed by the field paths of changes. */
export type PastFacts = Readonly<Partial<Record<ChangedField, FactValue>>>;

/** A period with constant facts. It ends where the next segment starts. */
export interface Segment {
  readonly from: EpochMs;
  readonly facts: PastFacts;
}

/**
 * The facts of a domain over time, oldest first; the first segment starts at minus infinity. Changes are reverted from the current facts,
 * newest first, and then applied again. The last segment has the current facts, whatever the changes say.
 */
export function segmentsOf(history: InstanceHistory): Segment[] {
  const changes = [...history.changes()];
  const current = currentFacts(history);
  const first: Record<string, FactValue> = { ...current };
  for (const { field, from } of changes.toReversed()) first[field] = from;
  const segments: { from: number; facts: Record<string, FactValue> }[] = [
    { from: Number.NEGATIVE_INFINITY, facts: first },
  ];
  for (const { at, field, to } of changes) {
    let segment = segments.at(-1);
    if (segment?.from !== at) {
      segment = { from: at, facts: { ...segment?.facts } };
      segments.push(segment);
    }
    segment.facts[field] = to;
  }
  const last = segments.at(-1);
  if (last !== undefined) last.facts = current;
  return segments;
}

function currentFacts({ record, facts }: InstanceHistory): Record<string, FactValue> {
  return {
    state: record.state,
    identifiedAs: record.identifiedAs,
    via: record.via,
    version: record.version,
    aliasOf: record.aliasOf,
    noindex: record.host.noindex,
    pointsTo: record.host.canonicalHost,
    ...Object.fromEntries(HOSTING_LEAVES.map(({ path, get }) => [path, get(record.host)])),
    ...Object.fromEntries(COUNTED.map(({ path, get }) => [path, get(facts)])),
  };
}

/** Whether the domain was listed, unless it was a secondary name of another listed one. */
export function isEligible({ identifiedAs, state, noindex }: PastFacts): boolean {
  return identifiedAs === 'loops' && (state === 'active' || state === 'failing') && noindex !== true;
}

export function toInstanceDomain({ record }: InstanceHistory, { via, pointsTo, flags }: PastFacts): InstanceDomain {
  const copy: InstanceFlag = via === 'config' ? 'names-other-host' : 'nodeinfo-other-host';
  return {
    domain: record.domain,
    firstSeen: record.firstSeen,
    via: (via ?? null) as Via | null,
    canonicalHost: (pointsTo ?? null) as Domain | null,
    isCopy: Array.isArray(flags) && flags.includes(copy),
  };
}
