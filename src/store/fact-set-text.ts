import { InstanceFacts } from '../record/instance.ts';

type FactSet = Omit<InstanceFacts, 'usage'>;

const FactSet = InstanceFacts.omit({ usage: true });

/** Facts without their counts, as JSON; the same text for the same facts, whoever put the object together. */
export function toFactSetText(facts: InstanceFacts): string {
  const { features, limits } = facts;
  const inOrder: FactSet = {
    name: facts.name,
    description: facts.description,
    software: facts.software,
    version: facts.version,
    registration: { open: facts.registration.open, mode: facts.registration.mode },
    federation: facts.federation,
    features: {
      forYouFeed: features.forYouFeed,
      pushNotifications: features.pushNotifications,
      starterKits: features.starterKits,
      atomFeeds: features.atomFeeds,
      gifProvider: features.gifProvider,
    },
    gifProviderBrand: facts.gifProviderBrand,
    limits: {
      maxVideoSizeMB: limits.maxVideoSizeMB,
      maxVideoDurationSeconds: limits.maxVideoDurationSeconds,
      videoFormats: limits.videoFormats,
      maxBioLength: limits.maxBioLength,
    },
    flags: facts.flags,
    notes: facts.notes.map(({ field, problem }) => ({ field, problem })),
  };
  return JSON.stringify(inOrder);
}

/** Reads what {@link toFactSetText} wrote; throws when it is anything else. */
export function readFactSetText(text: string, usage: InstanceFacts['usage']): InstanceFacts {
  return { ...FactSet.parse(JSON.parse(text)), usage };
}
