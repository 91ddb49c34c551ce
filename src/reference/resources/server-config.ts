import { z } from 'zod';

/** The server configuration resource, specification section 2.5. */
export const ServerConfig = z
  .object({
    app: z.object({
      name: z.string().meta({ description: 'Human-readable server name.' }),
      url: z.string().meta({ description: 'Base URL of the server.' }),
      description: z.string().meta({ description: 'Short description.' }),
      software: z.string().meta({ description: 'Software identifier: `loops` on a server of this service.' }),
      version: z.string().meta({ description: 'Running software version.' }),
    }),
    media: z.object({
      max_video_size: z.int().meta({ description: 'Maximum upload size in megabytes.' }),
      max_video_duration: z.int().meta({ description: 'Maximum video length in seconds.' }),
      allowed_video_formats: z.array(z.string()).meta({ description: 'Accepted upload formats, such as `mp4`.' }),
    }),
    fyf: z.boolean().meta({ description: 'For You feed available.' }),
    registration: z.boolean().meta({ description: 'New account registration enabled.' }),
    registration_mode: z.string().meta({
      description: 'How registration is handled: `open`, `curated`, `closed`, or something later.',
    }),
    federation: z.boolean().meta({ description: 'Federates over ActivityPub.' }),
    pushNotifications: z.boolean().meta({ description: 'Push notifications supported.' }),
    starterKits: z.boolean().meta({ description: 'Starter Kits enabled.' }),
    atomFeeds: z.boolean().meta({ description: 'Atom feeds exposed.' }),
    hasGifProvider: z.boolean().meta({ description: 'Third-party GIF integration enabled.' }),
    account: z.object({
      max_bio_length: z.int().meta({ description: 'Maximum bio length in characters.' }),
    }),
  })
  .meta({ id: 'ServerConfig' });
export type ServerConfig = z.infer<typeof ServerConfig>;
