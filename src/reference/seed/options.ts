import { z } from 'zod';
import { Account, Video } from '../resources.ts';
import { seedAccounts } from './seed-accounts.ts';

const lists = ['liked_by', 'bookmarked_by'] as const;

/**
 * What is wrong with the usernames that a video names: a sentence for each that is not among `known`. Names differ by more than
 * their case. Of a video that is no video nothing is said.
 * @param place what to call the video: `videos[3]`.
 */
export function unknownUsernames(video: unknown, place: string, known: readonly string[]): string[] {
  const given = (typeof video === 'object' && video !== null ? video : {}) as Record<string, unknown>;
  const named: [place: string, username: unknown][] = [[`${place}.by`, given.by]];
  for (const key of lists) {
    const usernames = given[key];
    if (!Array.isArray(usernames)) continue;
    named.push(...usernames.map((username, index): [string, unknown] => [`${place}.${key}[${index}]`, username]));
  }
  const names = new Set(known.map(folded));
  return named.flatMap(([where, username]) =>
    typeof username !== 'string' || names.has(folded(username))
      ? []
      : [`${where} is ${JSON.stringify(username)}; allowed: ${known.join(', ')}, or an account that is added`],
  );
}

/** As SQLite compares them: letters of ASCII whatever their case. */
function folded(username: string): string {
  return username.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * An account that a server is to have: one of the seeded ones by its username, with changes, or a new one. What is left out
 * stays, or is that of a plain local account.
 */
export const AccountOptions = z.strictObject({
  ...Account.omit({ is_owner: true, is_blocking: true }).partial().shape,
  username: Account.shape.username,
  password: z.string().min(1).optional().meta({ description: 'Without one nobody can sign in to a new account.' }),
});
export type AccountOptions = z.infer<typeof AccountOptions>;

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

/** Who can sign in to a server of this seed, and how. */
export function seededAccounts(seed = 1): { username: string; password: string }[] {
  return seedAccounts(seed).flatMap(({ account, password }) =>
    password === null ? [] : [{ username: account.username, password }],
  );
}
