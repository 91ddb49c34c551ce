import type { InstanceFacts } from '../../../src/model/facts/instance-facts.ts';
import type { UsageSample } from '../../../src/model/facts/usage-sample.ts';
import { unknownFeatures, unknownLimits } from './unknown-facts.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
export const start = Date.UTC(2026, 7, 1);

export const noUsage: InstanceFacts['usage'] = {
  users: null,
  activeMonth: null,
  activeHalfyear: null,
  posts: null,
  asOf: null,
};

/** The counts of a visit at `at`. */
export function usageAt(at: number, users: number, posts = users * 3): InstanceFacts['usage'] {
  const active = Math.ceil(users / 4);
  return { users, activeMonth: active, activeHalfyear: active, posts, asOf: new Date(at).toISOString() };
}

/** Facts from config and NodeInfo, with every leaf known. Other samples are made from it, so a new leaf gets its value here. */
export function bothRead(at: number, changes: Partial<InstanceFacts> = {}): InstanceFacts {
  return {
    name: 'Small Screen',
    description: 'Videos of a minute.',
    software: 'loops',
    version: '1.0.0-beta.13',
    registration: { open: true, mode: 'curated' },
    federation: true,
    features: {
      forYouFeed: true,
      pushNotifications: false,
      starterKits: true,
      atomFeeds: false,
      gifProvider: true,
    },
    gifProviderBrand: 'klipy',
    limits: {
      maxVideoSizeMB: 40,
      maxVideoDurationSeconds: 180,
      videoFormats: ['mp4', 'webm'],
      maxBioLength: 500,
    },
    usage: usageAt(at, 40),
    flags: [],
    notes: [],
    ...changes,
  };
}

/** Facts from NodeInfo alone; those that only config has are unknown. */
export function nodeInfoOnly(at: number, changes: Partial<InstanceFacts> = {}): InstanceFacts {
  return bothRead(at, {
    registration: { open: true, mode: null },
    federation: null,
    features: unknownFeatures,
    gifProviderBrand: null,
    limits: unknownLimits,
    ...changes,
  });
}

/** Facts from config alone, after NodeInfo failed. */
export function configOnly(at: number, changes: Partial<InstanceFacts> = {}): InstanceFacts {
  return bothRead(at, { usage: noUsage, flags: ['nodeinfo-unavailable'], ...changes });
}

/** Samples every `everyMs`; takes counts oldest first and returns them newest first. A number is a user count. */
export function samplesOf(
  counts: readonly (Partial<Omit<UsageSample, 'at'>> | number)[],
  everyMs = 6 * hour,
): UsageSample[] {
  return counts
    .map((count, index) => ({
      at: start + index * everyMs,
      users: null,
      activeMonth: null,
      activeHalfyear: null,
      posts: null,
      ...(typeof count === 'number' ? { users: count } : count),
    }))
    .reverse();
}
