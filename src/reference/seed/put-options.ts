import type { StoredAccount } from '../data/accounts.ts';
import type { ReferenceData } from '../data/open-data.ts';
import type { StoredVideo } from '../data/videos.ts';
import { deepMerge } from '../deep-merge.ts';
import { createRandom, randomInteger } from '../random.ts';
import { shortcode, snowflake, timestamp } from './identifiers.ts';
import type { AccountOptions, VideoOptions } from './options.ts';

// Later than every seeded account and video.
const firstAddedAccountMs = Date.UTC(2026, 0, 5);
const joinSpanSeconds = 30 * 86_400;
// Later than every account, seeded or added.
const firstAddedVideoMs = Date.UTC(2026, 1, 5);
const minuteMs = 60_000;

/**
 * Updates the account with this username, or adds it; idempotent. A missing id is derived from the seed and the username.
 * @param index position in the list of options.
 * @returns the problems; if there are any, nothing was changed.
 */
export function putAccount(data: ReferenceData, seed: number, options: AccountOptions, index: number): string[] {
  const { id, password, ...changes } = options;
  const existing = data.accounts.findByUsername(changes.username);
  const idHolder = id === undefined ? undefined : data.accounts.find(id);
  if (existing !== undefined && id !== undefined && id !== existing.id) {
    return [`accounts[${index}].id is "${id}"; ${existing.username} has the id ${existing.id}: leave it out`];
  }
  if (existing === undefined && idHolder !== undefined) {
    return [`accounts[${index}].id is "${id}"; that is the id of ${idHolder.username}: take another, or leave it out`];
  }
  if (existing !== undefined) {
    data.accounts.update(existing.id, changes);
    if (password !== undefined) data.accounts.setPassword(existing.id, password);
    return [];
  }
  // A hash of the seed and the username, so that an account is the same at any position in the list.
  const random = createRandom(
    [...options.username].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), seed),
  );
  const joinedMs = firstAddedAccountMs + 1000 * randomInteger(random, 0, joinSpanSeconds - 1);
  addAccount(data, { ...options, id: id ?? snowflake(joinedMs, random) }, joinedMs);
  return [];
}

/**
 * Updates the video with this id, or adds it; idempotent. A missing id is derived from the seed and `index`.
 * @param index position in the list of options.
 * @throws when the options name an unknown account.
 */
export function putVideo(data: ReferenceData, seed: number, options: VideoOptions, index: number): void {
  const postedMs = firstAddedVideoMs + index * minuteMs;
  const id = options.id ?? snowflake(postedMs, createRandom(seed + index));
  if (data.videos.find(id) === undefined) addVideo(data, { ...options, id }, postedMs);
  else data.videos.update(id, withIds(data, options));
}

/** Adds an account; missing fields are as in a plain account. */
export function addAccount(data: ReferenceData, options: AccountOptions, joinedMs: number): void {
  const { password, ...fields } = options;
  const { id = '', username, local = true } = fields;
  const [handle, host = 'elsewhere.example'] = username.split('@');
  const plain: StoredAccount = {
    id,
    name: username,
    avatar: `/media/avatars/${encodeURIComponent(id)}.svg`,
    username,
    local,
    bio: '',
    post_count: 0,
    follower_count: 0,
    following_count: 0,
    url: `/@${username}`,
    remote_url: local ? null : `https://${host}/@${handle}`,
    manually_approves_followers: false,
    links: [],
    has_playlists: false,
    is_admin: false,
    created_at: timestamp(joinedMs),
    likes_count: 0,
  };
  data.accounts.add(deepMerge(plain, fields), password);
}

/**
 * Adds a video and counts it at its author; missing fields are as in a plain video of the first account.
 * @throws when the options name an unknown account.
 */
export function addVideo(data: ReferenceData, options: VideoOptions, postedMs: number): void {
  const { id = '', by } = options;
  const author = by === undefined ? data.accounts.all()[0] : accountNamed(data, by);
  if (author === undefined) throw new Error('A video has no account to belong to. Add one.');
  const changes = withIds(data, options);
  const counts = { likes: changes.liked_by?.length ?? 0, bookmarks: changes.bookmarked_by?.length ?? 0 };
  const video = deepMerge({ ...plainVideo(id, author, postedMs), ...counts }, changes);
  data.videos.add(video);
  data.accounts.update(author.id, {
    post_count: author.post_count + 1,
    likes_count: author.likes_count + video.likes,
  });
}

/** The options of a video with ids of accounts in place of usernames. */
function withIds(data: ReferenceData, { by, liked_by, bookmarked_by, ...changes }: VideoOptions) {
  const idsOf = (usernames: readonly string[]) => usernames.map((username) => accountNamed(data, username).id);
  return {
    ...changes,
    ...(by === undefined ? {} : { account_id: accountNamed(data, by).id }),
    ...(liked_by === undefined ? {} : { liked_by: idsOf(liked_by) }),
    ...(bookmarked_by === undefined ? {} : { bookmarked_by: idsOf(bookmarked_by) }),
  };
}

export function accountNamed(data: ReferenceData, username: string): StoredAccount {
  const account = data.accounts.findByUsername(username);
  if (account === undefined) throw new Error(`There is no account ${username}.`);
  return account;
}

function plainVideo(id: string, author: StoredAccount, postedMs: number): StoredVideo {
  const code = shortcode(id);
  const origin = (author.remote_url && URL.parse(author.remote_url)?.origin) ?? '';
  const file = `${origin}/media/videos/${encodeURIComponent(id)}`;
  return {
    id,
    account_id: author.id,
    caption: '',
    url: `${origin}/v/${code}`,
    shortcode: code,
    is_sensitive: false,
    is_local: author.local,
    media: {
      thumbnail: `${file}.svg`,
      src_url: `${file}.mp4`,
      hls_url: `${file}.m3u8`,
      alt_text: null,
      duration: 15,
      width: 720,
      height: 1280,
    },
    pinned: false,
    likes: 0,
    shares: 0,
    comments: 0,
    bookmarks: 0,
    is_edited: false,
    lang: null,
    tags: [],
    mentions: [],
    permissions: { can_comment: true, can_download: true, can_duet: true, can_stitch: true, can_embed: true },
    audio: { has_audio: true, id, count: 1, key: code, sound_id: id },
    meta: { contains_ai: false, contains_ad: false },
    created_at: timestamp(postedMs),
    liked_by: [],
    bookmarked_by: [],
  };
}
