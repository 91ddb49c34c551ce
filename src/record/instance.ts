import { z } from 'zod';
import { InstanceFlag } from './instance-flag.ts';

const text = z.string().nullable();
const flag = z.boolean().nullable();
const count = z.number().int().nonnegative().nullable();

/** A field that could not be read: its path in the remote document, and what was there instead. */
export const FieldNote = z.object({ field: z.string(), problem: z.string() });
export type FieldNote = z.infer<typeof FieldNote>;

/**
 * What an instance says of itself (specification 2.5 and 2.7). Objects are always present; a leaf is null when it is
 * unknown, and never 0 or false instead.
 */
export const InstanceFacts = z.object({
  name: text,
  description: text,
  software: z.string(),
  version: text,
  registration: z.object({ open: flag, mode: text }),
  federation: flag,
  features: z.object({
    forYouFeed: flag,
    pushNotifications: flag,
    starterKits: flag,
    atomFeeds: flag,
    gifProvider: flag,
  }),
  /** The brand in the live name of the GIF switch (`hasKlipy` -> `klipy`); null under the neutral name. */
  gifProviderBrand: text,
  limits: z.object({
    /** Megabytes. */
    maxVideoSizeMB: count,
    /** Seconds. */
    maxVideoDurationSeconds: count,
    videoFormats: z.array(z.string()).nullable(),
    /** Characters. */
    maxBioLength: count,
  }),
  usage: z.object({
    users: count,
    activeMonth: count,
    activeHalfyear: count,
    posts: count,
    /** When these counts were read, ISO 8601; null when they never were. */
    asOf: z.string().nullable(),
  }),
  flags: z.array(InstanceFlag),
  notes: z.array(FieldNote),
});
export type InstanceFacts = z.infer<typeof InstanceFacts>;
