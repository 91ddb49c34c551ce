import type { KeptAccount } from '../data/accounts.ts';
import type { ReferenceData } from '../data/open-data.ts';
import type { KeptVideo } from '../data/videos.ts';
import { overlay } from '../overlay.ts';
import { createRandom } from '../random.ts';
import { shortcode, snowflake, timestamp } from './identifiers.ts';
import type { VideoOptions } from './options.ts';

// After every account, seeded or added.
const earliestMs = Date.UTC(2026, 1, 5);
const minuteMs = 60_000;

/**
 * Changes the video of this id, or adds it; twice is the same as once. A new video counts among those of its account. `place`
 * is that in the list of options: an id that is not given follows from the seed and from it.
 * @throws when it names an account there is none of.
 */
export function putVideo(data: ReferenceData, seed: number, options: VideoOptions, place: number): void {
  const { by, liked_by, bookmarked_by, ...changes } = options;
  const postedMs = earliestMs + place * minuteMs;
  const id = options.id ?? snowflake(postedMs, createRandom(seed + place));
  const called = (username: string): KeptAccount => {
    const account = data.accounts.findByUsername(username);
    if (account === undefined) throw new Error(`There is no account ${username}.`);
    return account;
  };
  const idsOf = (usernames: readonly string[]) => usernames.map((username) => called(username).id);
  const links = {
    ...(by === undefined ? {} : { account_id: called(by).id }),
    ...(liked_by === undefined ? {} : { liked_by: idsOf(liked_by) }),
    ...(bookmarked_by === undefined ? {} : { bookmarked_by: idsOf(bookmarked_by) }),
  };

  if (data.videos.find(id) !== undefined) {
    data.videos.update(id, { ...changes, ...links });
    return;
  }
  const [first] = data.accounts.all();
  const author = by === undefined ? first : called(by);
  if (author === undefined) throw new Error(`videos[${place}] has no account to belong to. Add one.`);
  const counts = { likes: links.liked_by?.length ?? 0, bookmarks: links.bookmarked_by?.length ?? 0 };
  const video = overlay({ ...plainVideo(id, author, postedMs), ...counts, ...links }, changes);
  data.videos.add(video);
  data.accounts.update(author.id, {
    post_count: author.post_count + 1,
    likes_count: author.likes_count + video.likes,
  });
}

function plainVideo(id: string, author: KeptAccount, postedMs: number): KeptVideo {
  const code = shortcode(id);
  const file = `/media/videos/${encodeURIComponent(id)}`;
  return {
    id,
    account_id: author.id,
    caption: '',
    url: `/v/${code}`,
    shortcode: code,
    is_sensitive: false,
    is_local: author.local,
    media: {
      thumbnail: `${file}.svg`,
      src_url: `${file}.mp4`,
      hls_url: null,
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
