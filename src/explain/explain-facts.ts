import type { FactValue } from '../record/facts/fact-value.ts';
import type { InstanceFacts } from '../record/facts/instance-facts.ts';
import type { KeptFacts } from '../record/kept-facts.ts';
import type { ExplainedFact } from './explanation.ts';

interface Row {
  path: string;
  /** Under which its age is kept, where that is not the path. */
  aged?: string;
  value: (facts: InstanceFacts) => FactValue;
}

/** Every leaf that an instance can tell, in the order in which a reader looks for them. */
const ROWS: readonly Row[] = [
  { path: 'name', value: ({ name }) => name },
  { path: 'description', value: ({ description }) => description },
  { path: 'version', value: ({ version }) => version },
  { path: 'registration.open', value: ({ registration }) => registration.open },
  { path: 'registration.mode', value: ({ registration }) => registration.mode },
  { path: 'federation', value: ({ federation }) => federation },
  { path: 'usage.users', aged: 'usage', value: ({ usage }) => usage.users },
  { path: 'usage.activeMonth', aged: 'usage', value: ({ usage }) => usage.activeMonth },
  { path: 'usage.activeHalfyear', aged: 'usage', value: ({ usage }) => usage.activeHalfyear },
  { path: 'usage.posts', aged: 'usage', value: ({ usage }) => usage.posts },
  { path: 'features.forYouFeed', value: ({ features }) => features.forYouFeed },
  { path: 'features.pushNotifications', value: ({ features }) => features.pushNotifications },
  { path: 'features.starterKits', value: ({ features }) => features.starterKits },
  { path: 'features.atomFeeds', value: ({ features }) => features.atomFeeds },
  { path: 'features.gifProvider', value: ({ features }) => features.gifProvider },
  { path: 'limits.maxVideoSizeMB', value: ({ limits }) => limits.maxVideoSizeMB },
  { path: 'limits.maxVideoDurationSeconds', value: ({ limits }) => limits.maxVideoDurationSeconds },
  { path: 'limits.videoFormats', value: ({ limits }) => limits.videoFormats },
  { path: 'limits.maxBioLength', value: ({ limits }) => limits.maxBioLength },
];

const DAY_MS = 86_400_000;

/** Each fact that is kept of an instance, with its age. Unknown, stale and zero stay three different things. */
export function explainFacts(kept: KeptFacts, now: number, staleDays: number): ExplainedFact[] {
  return ROWS.map(({ path, aged = path, value: read }) => {
    const value = read(kept.facts);
    const readAt = kept.readAt[aged] ?? null;
    if (value === null) return { path, value, readAt: null, standing: 'unknown' };
    const isStale = readAt === null || now - readAt > staleDays * DAY_MS;
    return {
      path,
      value,
      readAt: readAt === null ? null : new Date(readAt).toISOString(),
      standing: isStale ? 'stale' : 'fresh',
    };
  });
}
