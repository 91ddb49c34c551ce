import type { EpochMs } from '../time.ts';
import type { Via } from '../verdict.ts';
import { type FactLeaf, nestFacts, REPORTED_LEAVES } from './fact-leaves.ts';
import type { FactValue } from './fact-value.ts';
import type { InstanceFacts } from './instance-facts.ts';
import { usageFlags } from './usage-flags.ts';
import type { UsageSample } from './usage-sample.ts';

/** The last known facts of an instance. A fact that a visit could not read keeps its value, and the time it was last read. */
export interface KnownFacts {
  facts: InstanceFacts;
  /** When each known fact was last read, keyed by `ageKey`; unknown facts have no entry. */
  readAt: Readonly<Record<string, EpochMs>>;
  /** Start of the last visit that found the instance. */
  checkedAt: EpochMs;
}

/** The facts that one visit read. */
export interface VisitFacts {
  facts: InstanceFacts;
  via: Via;
  nodeInfoRead: boolean;
  /** Start of the visit. */
  at: EpochMs;
}

/** Facts updated one by one; counts are updated together. */
const SINGLE_FACTS = REPORTED_LEAVES.filter(({ ageKey }) => ageKey !== 'usage');

/**
 * Updates the known facts after a visit. A fact that is missing from every document that can hold it becomes unknown. If one of these
 * documents was not read, the fact keeps its old value and read time. Counts need only NodeInfo.
 *
 * @param samples earlier counts, newest first.
 */
export function updateKnownFacts(
  before: KnownFacts | null,
  { facts, via, nodeInfoRead, at }: VisitFacts,
  samples: readonly UsageSample[],
): KnownFacts {
  const readAt: Record<string, number> = {};
  const update = ({ ageKey, meta, get }: FactLeaf): FactValue => {
    const read = get(facts);
    if (read !== null) readAt[ageKey] = at;
    const isMissing = via === 'config' && (nodeInfoRead || meta.nodeinfo === undefined);
    if (read !== null || isMissing || before === null) return read;
    const previous = get(before.facts);
    if (previous !== null) readAt[ageKey] = before.readAt[ageKey] ?? before.checkedAt;
    return previous;
  };
  const wereCountsRead = nodeInfoRead || facts.usage.asOf !== null || before === null;
  const usage = wereCountsRead ? facts.usage : before.facts.usage;
  if (usage.asOf !== null) {
    readAt.usage = wereCountsRead ? at : (before.readAt.usage ?? Date.parse(usage.asOf));
  }

  return {
    facts: {
      ...(nestFacts(SINGLE_FACTS, update) as Omit<InstanceFacts, 'usage' | 'flags' | 'notes'>),
      usage,
      flags: [...new Set([...facts.flags, ...flagsOf(usage, wereCountsRead ? at : null, samples)])],
      notes: facts.notes,
    },
    readAt,
    checkedAt: at,
  };
}

/** Counts from an earlier visit keep their flags; unknown counts have none. */
function flagsOf(usage: InstanceFacts['usage'], readAt: number | null, earlier: readonly UsageSample[]) {
  if (usage.asOf === null) return [];
  const { asOf: _, ...counts } = usage;
  return usageFlags(readAt === null ? earlier : [{ at: readAt, ...counts }, ...earlier]);
}
