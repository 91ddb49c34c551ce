import { z } from 'zod';

/**
 * The recorded facts whose changes are kept for ever, by the paths under which they are published. Counts are not among
 * them: of those, samples are kept.
 */
export const ChangedField = z.enum([
  'state',
  'conclusive',
  'via',
  'software',
  'version',
  'aliasOf',
  'noindex',
  'pointsTo',
  'name',
  'description',
  'registration.open',
  'registration.mode',
  'federation',
  'features.forYouFeed',
  'features.pushNotifications',
  'features.starterKits',
  'features.atomFeeds',
  'features.gifProvider',
  'gifProviderBrand',
  'limits.maxVideoSizeMB',
  'limits.maxVideoDurationSeconds',
  'limits.videoFormats',
  'limits.maxBioLength',
  'flags',
]);
export type ChangedField = z.infer<typeof ChangedField>;

/** The fields of which nothing but changes is published, and what they are. */
export const FIELDS_OF_CHANGES_ALONE = {
  conclusive: 'the last verdict that said what the host is: `loops`, `other` or `alias`',
  noindex: 'whether the host asks not to be published; as long as it does, nothing of it is',
  pointsTo: 'another host that it names as the one it speaks for',
  gifProviderBrand: 'the brand in the name under which the GIF switch was sent',
} as const satisfies Partial<Record<ChangedField, string>>;

/** Null: it was, or became, unknown. */
export const FactValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);
export type FactValue = z.infer<typeof FactValue>;

/**
 * What made a fact change.
 *
 * - `visit`: a visit found it so.
 * - `added`: somebody asked for the domain by name.
 * - `replay`: today's parsers read a stored document differently.
 */
export const ChangeCause = z.enum(['visit', 'added', 'replay']);
export type ChangeCause = z.infer<typeof ChangeCause>;

/** A fact that is not what it was. */
export interface FactChange {
  field: ChangedField;
  from: FactValue;
  to: FactValue;
  /** Of a state, what moved it, in words; null for every other field. */
  why: string | null;
}

/** A change as it is kept. */
export interface Change extends FactChange {
  /** Start of the visit that found it, or when it was asked for; milliseconds since the epoch. */
  at: number;
  cause: ChangeCause;
}
