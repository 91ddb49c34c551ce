import { originOf } from '../domain/domain.ts';
import type { InstanceRecord } from '../record/instance-record.ts';
import { isoTime } from './iso-time.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';

/** A listed instance as it is published. Keys are in the published order, so that equal records give equal bytes. */
export function instanceEntryOf(record: InstanceRecord): InstanceEntry {
  const { facts } = record;
  return {
    domain: record.domain,
    url: originOf(record.domain),
    name: facts.name,
    description: facts.description,
    software: facts.software,
    version: facts.version,
    via: record.via,
    registration: { open: facts.registration.open, mode: facts.registration.mode },
    federation: facts.federation,
    features: {
      forYouFeed: facts.features.forYouFeed,
      pushNotifications: facts.features.pushNotifications,
      starterKits: facts.features.starterKits,
      atomFeeds: facts.features.atomFeeds,
      gifProvider: facts.features.gifProvider,
    },
    limits: {
      maxVideoSizeMB: facts.limits.maxVideoSizeMB,
      maxVideoDurationSeconds: facts.limits.maxVideoDurationSeconds,
      videoFormats: facts.limits.videoFormats,
      maxBioLength: facts.limits.maxBioLength,
    },
    usage: {
      users: facts.usage.users,
      activeMonth: facts.usage.activeMonth,
      activeHalfyear: facts.usage.activeHalfyear,
      posts: facts.usage.posts,
      asOf: facts.usage.asOf,
    },
    status: record.state === 'failing' ? 'down' : 'up',
    uptime: { day: null, week: null, month: null },
    flags: facts.flags,
    firstSeen: isoTime(record.firstSeen),
    lastSeen: isoTime(record.lastSeen),
    checkedAt: isoTime(record.checkedAt),
  };
}
