import { z } from 'zod';
import { Video } from '../resources/video.ts';

const { media, permissions, audio, meta } = Video.shape;

/**
 * A video that a server is to have: one that is there by its id, with changes, or a new one. What is left out stays, or is
 * that of a plain public video.
 */
export const VideoOptions = z.strictObject({
  ...Video.omit({ account: true, is_owner: true, has_liked: true, has_bookmarked: true }).partial().shape,
  media: media.partial().optional(),
  permissions: permissions.partial().optional(),
  audio: audio.partial().optional(),
  meta: meta.partial().optional(),
  by: z
    .string()
    .optional()
    .meta({ description: 'Username of the account that posted it. Default: that of the first account.' }),
  liked_by: z.array(z.string()).optional().meta({ description: 'Usernames of the local accounts that liked it.' }),
  bookmarked_by: z
    .array(z.string())
    .optional()
    .meta({ description: 'Usernames of the local accounts that bookmarked it.' }),
});
export type VideoOptions = z.infer<typeof VideoOptions>;
