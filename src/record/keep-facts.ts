import type { InstanceFacts } from './instance.ts';
import type { FactPath, KeptFacts } from './kept-facts.ts';
import { usageFlags } from './usage-flags.ts';
import type { UsageSample } from './usage-sample.ts';
import type { Via } from './verdict.ts';

/** What one visit read of an instance. */
export interface FactReading {
  facts: InstanceFacts;
  via: Via;
  nodeInfoRead: boolean;
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
}

/** What config and NodeInfo both tell: one that is silent does not make it unknown while the other was not read. */
const IN_BOTH: ReadonlySet<FactPath> = new Set(['name', 'description', 'version', 'registration.open']);

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
  const readAt: Record<FactPath, number> = {};
  const leaf = <T>(path: FactPath, of: (facts: InstanceFacts) => T): T => {
    const read = of(facts);
    if (read !== null) readAt[path] = at;
    const isAsked = via === 'config' && (nodeInfoRead || !IN_BOTH.has(path));
    if (read !== null || isAsked || before === null) return read;
    const kept = of(before.facts);
    // What has no age of its own was read by the last visit.
    if (kept !== null) readAt[path] = before.readAt[path] ?? before.checkedAt;
    return kept;
  };
  const areCountsRead = nodeInfoRead || facts.usage.asOf !== null || before === null;
  const usage = areCountsRead ? facts.usage : before.facts.usage;
  if (usage.asOf !== null) {
    readAt.usage = areCountsRead ? at : (before.readAt.usage ?? Date.parse(usage.asOf));
  }

  return {
    facts: {
      name: leaf('name', (of) => of.name),
      description: leaf('description', (of) => of.description),
      software: leaf('software', (of) => of.software),
      version: leaf('version', (of) => of.version),
      registration: {
        open: leaf('registration.open', (of) => of.registration.open),
        mode: leaf('registration.mode', (of) => of.registration.mode),
      },
      federation: leaf('federation', (of) => of.federation),
      features: {
        forYouFeed: leaf('features.forYouFeed', (of) => of.features.forYouFeed),
        pushNotifications: leaf('features.pushNotifications', (of) => of.features.pushNotifications),
        starterKits: leaf('features.starterKits', (of) => of.features.starterKits),
        atomFeeds: leaf('features.atomFeeds', (of) => of.features.atomFeeds),
        gifProvider: leaf('features.gifProvider', (of) => of.features.gifProvider),
      },
      gifProviderBrand: leaf('gifProviderBrand', (of) => of.gifProviderBrand),
      limits: {
        maxVideoSizeMB: leaf('limits.maxVideoSizeMB', (of) => of.limits.maxVideoSizeMB),
        maxVideoDurationSeconds: leaf('limits.maxVideoDurationSeconds', (of) => of.limits.maxVideoDurationSeconds),
        videoFormats: leaf('limits.videoFormats', (of) => of.limits.videoFormats),
        maxBioLength: leaf('limits.maxBioLength', (of) => of.limits.maxBioLength),
      },
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
  const { users, activeMonth, activeHalfyear, posts } = usage;
  return usageFlags(
    readAt === null ? earlier : [{ at: readAt, users, activeMonth, activeHalfyear, posts }, ...earlier],
  );
}
