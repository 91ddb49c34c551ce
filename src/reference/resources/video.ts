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
    can_stitch: z.boolean().meta({ description: 'Whether others may stitch it into theirs.' }),
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
    contains_ai: z.boolean().meta({ description: 'Whether it holds what a machine generated.' }),
    contains_ad: z.boolean().meta({ description: 'Whether it holds advertising.' }),
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
