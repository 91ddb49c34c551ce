import { z } from 'zod';

const Author = z
  .object({
    id: z.string().meta({ description: 'Account identifier: a snowflake, a decimal string.' }),
    name: z.string().meta({ description: 'Display name.' }),
    username: z.string().meta({ description: 'Handle.' }),
    avatar: z.string().meta({ description: 'Avatar image URL.' }),
  })
  .meta({ id: 'VideoAuthor', description: 'Author summary.' });

const Media = z
  .object({
    thumbnail: z.string().meta({ description: 'Thumbnail image URL.' }),
    src_url: z.string().meta({ description: 'Video file URL.' }),
    hls_url: z.string().nullable().meta({ description: 'HLS playlist URL; null when none.' }),
    alt_text: z.string().nullable().meta({ description: 'Alternative text; null when none.' }),
    duration: z.int().meta({ description: 'Seconds.' }),
    width: z.int().meta({ description: 'Pixels.' }),
    height: z.int().meta({ description: 'Pixels.' }),
  })
  .meta({ id: 'VideoMedia', description: 'The files of the video.' });

/** The specification does not show the elements of `mentions`; these are this server's choice. */
const Mention = z
  .object({
    id: z.string().meta({ description: 'Account identifier: a snowflake, a decimal string.' }),
    username: z.string().meta({ description: 'Handle.' }),
    url: z.string().meta({ description: 'Profile URL on the instance.' }),
  })
  .meta({ id: 'Mention' });

const Permissions = z
  .object({
    can_comment: z.boolean().meta({ description: 'Whether others may comment on it.' }),
    can_download: z.boolean().meta({ description: 'Whether others may download it.' }),
    can_duet: z.boolean().meta({ description: 'Whether others may make a duet with it.' }),
    can_stitch: z.boolean().meta({ description: 'Whether others may stitch it into their videos.' }),
    can_embed: z.boolean().meta({ description: 'Whether others may embed it in a page.' }),
  })
  .meta({ id: 'VideoPermissions', description: 'What others may do with the video.' });

const Audio = z
  .object({
    has_audio: z.boolean().meta({ description: 'Whether the video has sound.' }),
    id: z.string().meta({ description: 'Identifier of the audio; empty when there is none.' }),
    count: z.int().meta({ description: 'How many videos use the audio.' }),
    key: z.string().meta({ description: 'Key of the audio; empty when there is none.' }),
    sound_id: z.string().meta({ description: 'Identifier of the sound; empty when there is none.' }),
  })
  .meta({ id: 'VideoAudio', description: 'The sound of the video.' });

const Meta = z
  .object({
    contains_ai: z.boolean().meta({ description: 'Whether it contains AI-generated content.' }),
    contains_ad: z.boolean().meta({ description: 'Whether it contains advertising.' }),
  })
  .meta({ id: 'VideoMeta', description: 'What the author declared.' });

/** The video resource, specification section 2.4. */
export const Video = z
  .object({
    id: z.string().meta({ description: 'Snowflake identifier, a decimal string.' }),
    account: Author,
    caption: z.string().meta({ description: 'Caption text.' }),
    url: z.string().meta({ description: 'Public video page URL.' }),
    shortcode: z.string().meta({ description: 'Short identifier that forms the last part of `url`.' }),
    is_owner: z.boolean().meta({ description: 'Whether the requester owns the video.' }),
    is_sensitive: z.boolean().meta({ description: 'Sensitive-content flag.' }),
    is_local: z.boolean().meta({ description: 'Whether the video is hosted on this instance.' }),
    media: Media,
    pinned: z.boolean().meta({ description: 'Whether the video is pinned.' }),
    likes: z.int().meta({ description: 'Like count.' }),
    shares: z.int().meta({ description: 'Share count.' }),
    comments: z.int().meta({ description: 'Comment count.' }),
    bookmarks: z.int().meta({ description: 'Bookmark count.' }),
    has_liked: z.boolean().meta({ description: 'Whether the requester liked it.' }),
    has_bookmarked: z.boolean().meta({ description: 'Whether the requester bookmarked it.' }),
    is_edited: z.boolean().meta({ description: 'Whether the video was edited.' }),
    lang: z.string().nullable().meta({ description: 'Language, as a BCP 47 tag; null when unset.' }),
    tags: z.array(z.string()).meta({ description: 'Tags, without `#`.' }),
    mentions: z.array(Mention).meta({ description: 'Accounts that the caption mentions.' }),
    permissions: Permissions,
    audio: Audio,
    meta: Meta,
    created_at: z.iso.datetime({ offset: true }).meta({ description: 'ISO 8601 timestamp with offset.' }),
  })
  .meta({ id: 'Video' });
export type Video = z.infer<typeof Video>;

/** The error body for invalid fields, with status 422. */
export const ValidationError = z
  .object({
    message: z.string().meta({ description: 'The first error, for people.' }),
    errors: z.record(z.string(), z.array(z.string())).meta({ description: 'The errors of each field.' }),
  })
  .meta({ id: 'ValidationError' });
export type ValidationError = z.infer<typeof ValidationError>;

/** The token record, the answer of `POST /oauth/token`, specification section 2.2. */
export const TokenRecord = z
  .object({
    access_token: z.string().meta({ description: 'Bearer token.' }),
    token_type: z.literal('Bearer').meta({ description: 'Always `Bearer`.' }),
    scope: z.string().meta({ description: 'Space-separated granted scopes.' }),
    created_at: z.int().meta({ description: 'Creation time as a Unix timestamp in seconds.' }),
  })
  .meta({ id: 'TokenRecord' });
export type TokenRecord = z.infer<typeof TokenRecord>;

/** The answer of `POST /oauth/token` of live servers. */
export const LiveTokenRecord = z
  .object({
    token_type: z.literal('Bearer').meta({ description: 'Always `Bearer`.' }),
    expires_in: z.int().meta({ description: 'Seconds until the token expires.' }),
    access_token: z.string().meta({ description: 'Bearer token.' }),
    refresh_token: z.string().meta({ description: 'For the grant `refresh_token`; works once.' }),
  })
  .meta({ id: 'LiveTokenRecord' });
export type LiveTokenRecord = z.infer<typeof LiveTokenRecord>;

/** The JSON Resource Descriptor of WebFinger (RFC 7033 section 4.4). */
export const ResourceDescriptor = z
  .object({
    subject: z.string().meta({ description: 'The canonical name of the account: `acct:NAME@HOST`.' }),
    aliases: z.array(z.string()).meta({ description: 'Other URLs of the account.' }),
    links: z.array(
      z.object({
        rel: z.string().meta({ description: '`self`: the actor. `http://webfinger.net/rel/profile-page`: a page.' }),
        type: z.string().meta({ description: 'Content type of the target.' }),
        href: z.string().meta({ description: 'URL of the target.' }),
      }),
    ),
  })
  .meta({ id: 'ResourceDescriptor' });
export type ResourceDescriptor = z.infer<typeof ResourceDescriptor>;

/** The error body for an unknown record. */
export const RecordNotFound = z
  .object({
    data: z.array(z.unknown()).meta({ description: 'Always empty.' }),
    error: z.object({
      code: z.int().meta({ description: 'The status: 404.' }),
      message: z.string().meta({ description: '`Record not found.`' }),
    }),
  })
  .meta({ id: 'RecordNotFound' });
export type RecordNotFound = z.infer<typeof RecordNotFound>;

/** The NodeInfo document, specification section 2.7, with the counts that live servers add. */
export const NodeInfo = z
  .object({
    version: z.string().meta({ description: 'Schema version: `2.0` or `2.1`.' }),
    software: z.object({
      name: z.string().meta({ description: 'Software identifier: `loops` on a server of this service.' }),
      version: z.string().meta({ description: 'Running version.' }),
    }),
    protocols: z.array(z.string()).meta({ description: 'Includes `activitypub`.' }),
    services: z.object({
      inbound: z.array(z.string()).meta({ description: 'Services that it can receive from.' }),
      outbound: z.array(z.string()).meta({ description: 'Services that it can publish to.' }),
    }),
    openRegistrations: z.boolean().meta({ description: 'Whether registration is open.' }),
    usage: z.object({
      users: z.object({
        total: z.int().meta({ description: 'Total users.' }),
        activeMonth: z.int().optional().meta({ description: 'Users who signed in within 30 days.' }),
        activeHalfyear: z.int().optional().meta({ description: 'Users who signed in within 180 days.' }),
      }),
      localPosts: z.int().meta({ description: 'Count of local posts.' }),
    }),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Free-form.' }),
  })
  .meta({ id: 'NodeInfo' });
export type NodeInfo = z.infer<typeof NodeInfo>;

/** The NodeInfo discovery document, specification section 2.6. */
export const NodeInfoDiscovery = z
  .object({
    links: z.array(
      z.object({
        rel: z.string().meta({ description: 'Schema of the document; the 2.0 entry ends with `/schema/2.0`.' }),
        href: z.string().meta({ description: 'URL of the document, to be requested exactly as given.' }),
      }),
    ),
  })
  .meta({ id: 'NodeInfoDiscovery' });
export type NodeInfoDiscovery = z.infer<typeof NodeInfoDiscovery>;

/** The plain error body of the API. */
export const Message = z
  .object({ message: z.string().meta({ description: 'The reason, for people.' }) })
  .meta({ id: 'Message' });

/** Client credentials in a body; a client may send them by HTTP Basic instead (RFC 6749 section 2.3.1). */
export const ClientCredentials = z.object({
  client_id: z.string().optional().meta({ description: 'From app registration. Required unless sent by HTTP Basic.' }),
  client_secret: z.string().optional().meta({
    description: 'From app registration. Required unless sent by HTTP Basic, or the code was requested with PKCE.',
  }),
});

/** The app registration record, the answer of `POST /api/v1/apps`, specification section 2.1. */
export const AppRecord = z
  .object({
    id: z.string().meta({ description: 'Identifier of the registered app.' }),
    name: z.string().meta({ description: 'Display name given at registration.' }),
    website: z.string().meta({ description: 'Homepage URL given at registration; empty when none was.' }),
    redirect_uri: z
      .string()
      .meta({ description: 'Redirect URI given at registration; several are separated by line breaks.' }),
    client_id: z.string().meta({ description: 'OAuth client identifier.' }),
    client_secret: z.string().meta({ description: 'OAuth client secret. Must be kept server-side.' }),
  })
  .meta({ id: 'AppRecord' });
export type AppRecord = z.infer<typeof AppRecord>;

/** The answer of `POST /api/v1/apps` of live servers. */
export const LiveAppRecord = z
  .object({
    client_id: z.string().meta({ description: 'OAuth client identifier.' }),
    client_name: z.string().meta({ description: 'Display name given at registration.' }),
    client_secret: z.string().meta({ description: 'OAuth client secret. Must be kept server-side.' }),
    redirect_uris: z.array(z.string()).meta({ description: 'The redirect URIs given at registration.' }),
    vapid_key: z.null().meta({ description: 'Always null.' }),
  })
  .meta({ id: 'LiveAppRecord' });
export type LiveAppRecord = z.infer<typeof LiveAppRecord>;

/** An ActivityPub actor (section 4.1) with a public key of the W3C security vocabulary. */
export const Actor = z
  .object({
    '@context': z.array(z.string()).meta({ description: 'The vocabularies of ActivityStreams and of the key.' }),
    id: z.string().meta({ description: 'URL of this document.' }),
    type: z
      .enum(['Application', 'Person'])
      .meta({ description: '`Application`: the server itself. `Person`: an account.' }),
    preferredUsername: z.string().meta({ description: 'The host of the server, or the username of the account.' }),
    name: z.string().meta({ description: 'Display name.' }),
    url: z.string().meta({ description: 'The page of the server, or of the account.' }),
    inbox: z.string().meta({ description: 'URL for deliveries. What is delivered here is discarded.' }),
    outbox: z.string().meta({ description: 'URL of its activities. Not served here.' }),
    endpoints: z.object({
      sharedInbox: z
        .string()
        .meta({ description: 'The inbox of the whole server. What is delivered here is discarded.' }),
    }),
    manuallyApprovesFollowers: z.boolean().meta({ description: 'Whether follow requests need approval.' }),
    publicKey: z.object({
      id: z.string().meta({ description: 'Id of the key in signatures.' }),
      owner: z.string().meta({ description: 'Id of the actor.' }),
      publicKeyPem: z.string().meta({ description: 'RSA key, PEM.' }),
    }),
  })
  .meta({ id: 'Actor' });
export type Actor = z.infer<typeof Actor>;

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
    username: z.string().meta({ description: 'Handle; a remote account adds `@` and its server.' }),
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
      allowed_video_formats: z.array(z.string()).meta({ description: 'Accepted upload formats, for example `mp4`.' }),
    }),
    fyf: z.boolean().meta({ description: 'For You feed available.' }),
    registration: z.boolean().meta({ description: 'New account registration enabled.' }),
    registration_mode: z.string().meta({
      description: 'How registration is handled: `open`, `curated`, `closed`, or a future value.',
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

/** The name of a server on its pages: `app.name` of its config, or `Loops` when a test has set something that is not a string. */
export function serverName(config: ServerConfig): string {
  const app: unknown = config.app;
  const name: unknown = typeof app === 'object' && app !== null ? Reflect.get(app, 'name') : undefined;
  return typeof name === 'string' ? name : 'Loops';
}
