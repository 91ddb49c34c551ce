import type { Via } from '../verdict.ts';
import { type FactLeaf, nestFacts, REPORTED_LEAVES } from './fact-leaves.ts';
import type { FactValue } from './fact-value.ts';
import type { InstanceFacts } from './instance-facts.ts';
import { usageFlags } from './usage-flags.ts';
import type { UsageSample } from './usage-sample.ts';

/** What is kept of an instance. A fact that a visit could not ask for stays, and so does the time it was last read: stale is not fresh. */
export interface KeptFacts {
  facts: InstanceFacts;
  /** When each known fact was last read, by its `ageKey`, milliseconds since the epoch; what is unknown is not in it. */
  readAt: Readonly<Record<string, number>>;
  /** Start of the last visit that found the instance, milliseconds since the epoch. */
  checkedAt: number;
}

/** What one visit read of an instance. */
export interface FactReading {
  facts: InstanceFacts;
  via: Via;
  nodeInfoRead: boolean;
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
}

/** The facts that are kept one by one; counts are kept together. */
const KEPT = REPORTED_LEAVES.filter(({ ageKey }) => ageKey !== 'usage');

/**
 * What is kept of an instance after a visit. What the visit asked for and did not find is unknown from then on. What it could
 * not ask for, because a document that tells it was not read, stays as it was and so does its age: everything but counts where
 * config was not read and NodeInfo says nothing of it either, what both tell where only one was read and is silent, counts where
 * NodeInfo was not read. Pure.
 *
 * @param samples earlier counts, newest first.
 */
export function keepFacts(
  before: KeptFacts | null,
  { facts, via, nodeInfoRead, at }: FactReading,
  samples: readonly UsageSample[],
): KeptFacts {
  const readAt: Record<string, number> = {};
  const keep = ({ ageKey, meta, of }: FactLeaf): FactValue => {
    const read = of(facts);
    if (read !== null) readAt[ageKey] = at;
    // Where both documents report a fact, one that is silent does not make it unknown while the other was not read.
    const isAsked = via === 'config' && (nodeInfoRead || meta.nodeinfo === undefined);
    if (read !== null || isAsked || before === null) return read;
    const kept = of(before.facts);
    // What has no age of its own was read by the last visit.
    if (kept !== null) readAt[ageKey] = before.readAt[ageKey] ?? before.checkedAt;
    return kept;
  };
  const areCountsRead = nodeInfoRead || facts.usage.asOf !== null || before === null;
  const usage = areCountsRead ? facts.usage : before.facts.usage;
  if (usage.asOf !== null) {
    readAt.usage = areCountsRead ? at : (before.readAt.usage ?? Date.parse(usage.asOf));
  }

  return {
    facts: {
      ...(nestFacts(KEPT, keep) as Omit<InstanceFacts, 'usage' | 'flags' | 'notes'>),
      usage,
      flags: [...new Set([...facts.flags, ...flagsOf(usage, areCountsRead ? at : null, samples)])],
      notes: facts.notes,
    },
    readAt,
    checkedAt: at,
  };
}

/** Counts that are kept from an earlier visit keep what was odd about them; unknown ones cannot be odd. */
function flagsOf(usage: InstanceFacts['usage'], readAt: number | null, earlier: readonly UsageSample[]) {
  if (usage.asOf === null) return [];
  const { asOf: _, ...counts } = usage;
  return usageFlags(readAt === null ? earlier : [{ at: readAt, ...counts }, ...earlier]);
}
