import { z } from 'zod';

const Link = z
  .object({
    url: z.string().meta({ description: 'Display form of the link, possibly shortened.' }),
    link: z.string().meta({ description: 'Link target.' }),
    is_verified: z.boolean().meta({ description: 'Whether the link is verified.' }),
  })
  .meta({ id: 'Link' });

/** The account resource, specification section 2.3. */
export const Account = z
  .object({
    id: z.string().meta({ description: 'Account identifier: a snowflake, a decimal string.' }),
    name: z.string().meta({ description: 'Display name.' }),
    avatar: z.string().meta({ description: 'Avatar image URL.' }),
    username: z.string().meta({ description: 'Handle; with `@` and the server for an account of another one.' }),
    is_owner: z.boolean().meta({ description: 'True when the account is the authenticated one.' }),
    local: z.boolean().meta({ description: 'True when the account is hosted on this instance.' }),
    bio: z.string().meta({
      description: 'Profile text. The maximum length, in characters, is `account.max_bio_length` of the configuration.',
    }),
    post_count: z.int().meta({ description: 'Number of posts.' }),
    follower_count: z.int().meta({ description: 'Number of followers.' }),
    following_count: z.int().meta({ description: 'Number of accounts followed.' }),
    url: z.string().meta({ description: 'Profile URL on the instance.' }),
    remote_url: z.string().nullable().meta({ description: 'Profile URL on its own server. Null for a local account.' }),
    is_blocking: z.boolean().nullable().meta({ description: 'Null in the self response.' }),
    manually_approves_followers: z.boolean().meta({ description: 'Whether follow requests need approval.' }),
    links: z.array(Link).meta({ description: 'Profile links.' }),
    has_playlists: z.boolean().meta({ description: 'Whether the account has playlists.' }),
    is_admin: z.boolean().meta({ description: 'Whether the account is an administrator.' }),
    created_at: z.iso.datetime({ offset: true }).meta({ description: 'ISO 8601 timestamp with offset.' }),
    likes_count: z.int().meta({ description: 'Number of likes that its posts received.' }),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;
