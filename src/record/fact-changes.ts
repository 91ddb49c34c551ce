import { isDeepStrictEqual } from 'node:util';
import type { ChangedField, FactChange, FactValue } from './change.ts';
import type { InstanceFacts } from './instance.ts';
import { isCutElsewhere } from './is-cut-elsewhere.ts';

/** The facts of an instance whose changes are kept here; software and version are facts of the domain. */
const FACTS = {
  name: (of) => of.name,
  description: (of) => of.description,
  'registration.open': (of) => of.registration.open,
  'registration.mode': (of) => of.registration.mode,
  federation: (of) => of.federation,
  'features.forYouFeed': (of) => of.features.forYouFeed,
  'features.pushNotifications': (of) => of.features.pushNotifications,
  'features.starterKits': (of) => of.features.starterKits,
  'features.atomFeeds': (of) => of.features.atomFeeds,
  'features.gifProvider': (of) => of.features.gifProvider,
  gifProviderBrand: (of) => of.gifProviderBrand,
  'limits.maxVideoSizeMB': (of) => of.limits.maxVideoSizeMB,
  'limits.maxVideoDurationSeconds': (of) => of.limits.maxVideoDurationSeconds,
  'limits.videoFormats': (of) => of.limits.videoFormats,
  'limits.maxBioLength': (of) => of.limits.maxBioLength,
  // A set: the order in which flags were found says nothing.
  flags: (of) => [...of.flags].sort(),
} as const satisfies Partial<Record<ChangedField, (of: InstanceFacts) => FactValue>>;

const ENTRIES = Object.entries(FACTS) as [keyof typeof FACTS, (of: InstanceFacts) => FactValue][];

/**
 * The facts of an instance that are not what they were, in the order of their fields. Lists are equal when they have the same
 * values in the same order; flags, when they are the same set. What becomes known or unknown has changed too, from or to null. To withhold a name changes nothing.
 *
 * @param before null when nothing was ever read: then nothing has changed.
 */
export function factChanges(before: InstanceFacts | null, after: InstanceFacts): FactChange[] {
  if (before === null) return [];
  const changes: FactChange[] = [];
  for (const [field, of] of ENTRIES) {
    const from = of(before);
    const to = of(after);
    if (from === to || isDeepStrictEqual(from, to) || isCutElsewhere(field, from, to)) continue;
    changes.push({ field, from, to, why: null });
  }
  return changes;
}
