import { z } from 'zod';
import { Account, Video } from '../resources.ts';

const usernameLists = ['liked_by', 'bookmarked_by'] as const;

/**
 * A problem for each username in a video that is not among `known`; case is ignored. Accepts an invalid video.
 * @param place the path of the video in the message, such as `videos[3]`.
 */
export function findUnknownUsernames(video: unknown, place: string, known: readonly string[]): string[] {
  const fields = (typeof video === 'object' && video !== null ? video : {}) as Record<string, unknown>;
  const references: [path: string, username: unknown][] = [[`${place}.by`, fields.by]];
  for (const key of usernameLists) {
    const usernames = fields[key];
    if (!Array.isArray(usernames)) continue;
    references.push(...usernames.map((username, index): [string, unknown] => [`${place}.${key}[${index}]`, username]));
  }
  const knownFolded = new Set(known.map(foldCase));
  return references.flatMap(([path, username]) =>
    typeof username !== 'string' || knownFolded.has(foldCase(username))
      ? []
      : [
          `${path} is ${JSON.stringify(username)}; allowed: ${known.join(', ')}, or the username of an account that you add`,
        ],
  );
}

/** Folds the case of ASCII letters, like the NOCASE collation of SQLite. */
function foldCase(username: string): string {
  return username.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Changes to the seeded account with this username, or a new account. Missing fields are as in a plain local account. */
export const AccountOptions = z.strictObject({
  ...Account.omit({ is_owner: true, is_blocking: true }).partial().shape,
  username: Account.shape.username,
  password: z.string().min(1).optional().meta({ description: 'A new account without a password cannot sign in.' }),
});
export type AccountOptions = z.infer<typeof AccountOptions>;

const { media, permissions, audio, meta } = Video.shape;

/** Changes to the video with this id, or a new video. Missing fields are as in a plain public video. */
export const VideoOptions = z.strictObject({
  ...Video.omit({ account: true, is_owner: true, has_liked: true, has_bookmarked: true }).partial().shape,
  media: media.partial().optional(),
  permissions: permissions.partial().optional(),
  audio: audio.partial().optional(),
  meta: meta.partial().optional(),
  by: z.string().optional().meta({ description: 'Username of the author. Default: the first account.' }),
  liked_by: z.array(z.string()).optional().meta({ description: 'Usernames of the local accounts that liked it.' }),
  bookmarked_by: z
    .array(z.string())
    .optional()
    .meta({ description: 'Usernames of the local accounts that bookmarked it.' }),
});
export type VideoOptions = z.infer<typeof VideoOptions>;
