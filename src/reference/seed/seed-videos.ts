import type { StoredAccount } from '../data/accounts.ts';
import type { StoredVideo } from '../data/videos.ts';
import { createRandom, type Random, randomInteger, shuffle } from '../random.ts';
import { shortcode, snowflake, timestamp } from './identifiers.ts';

/** The part of a video that is the same for every seed; ids, times, counts and dimensions are drawn. */
interface VideoTemplate {
  /** Username of the account that posted it. */
  by: string;
  caption: string;
  tags?: readonly string[];
  /** Usernames of the accounts mentioned. */
  mentions?: readonly string[];
  /** Default `en`. */
  lang?: string | null;
  /** Default: none. */
  altText?: string;
  isSensitive?: boolean;
  isPinned?: boolean;
  isEdited?: boolean;
  /** Default true. */
  hasHls?: boolean;
  /** Default true. */
  hasAudio?: boolean;
  containsAi?: boolean;
  containsAd?: boolean;
  /** Permissions that are not granted. Default: none. */
  denied?: readonly ('can_comment' | 'can_download' | 'can_duet' | 'can_stitch' | 'can_embed')[];
}

/** The videos of every seeded server, oldest first. */
const videoTemplates: readonly VideoTemplate[] = [
  {
    by: 'ada',
    caption: 'Welcome to this server 👋',
    isPinned: true,
    tags: ['welcome'],
    altText: 'Ada waves at the camera.',
  },
  {
    by: 'ada',
    caption: 'A heron that waited for an hour. So did I.',
    tags: ['birds', 'heron'],
    altText: 'A grey heron by a pond.',
  },
  { by: 'mei_lin', caption: '釉薬の実験 その一', lang: 'ja', tags: ['陶芸', 'pottery'] },
  { by: 'noor', caption: 'شاي بعد منتصف الليل', lang: 'ar', tags: ['ليل'], denied: ['can_duet', 'can_stitch'] },
  { by: 'rune@clips.example', caption: 'The 06:14 through snow', tags: ['trains'] },
  { by: 'ada', caption: 'Starlings, with @noor and @mei_lin', mentions: ['noor', 'mei_lin'], tags: ['birds'] },
  { by: 'noor', caption: '', lang: null },
  { by: 'ada', caption: 'An owl at its meal. Not for everyone.', isSensitive: true, tags: ['birds', 'owl'] },
  { by: 'mei_lin', caption: '猫と轆轤 🐈‍⬛', lang: 'ja', isPinned: true, altText: '黒い猫が轆轤の上で寝ている。' },
  { by: 'noor', caption: 'Street, rain, no sound', hasAudio: false },
  { by: 'rune@clips.example', caption: 'Fjord, wind, more wind', lang: 'nb', isEdited: true },
  { by: 'ada', caption: 'What a machine thinks a wren looks like', containsAi: true, tags: ['ai', 'birds'] },
  { by: 'mei_lin', caption: '一周一个短片 #7', lang: 'zh', denied: ['can_download', 'can_embed'] },
  { by: 'noor', caption: 'Noodles of the month (they paid for the bowl)', containsAd: true, isEdited: true },
  { by: 'ada', caption: 'Only for the feed: no playlist of segments', hasHls: false },
  { by: 'mei_lin', caption: 'Thank you @ada!', mentions: ['ada'] },
  {
    by: 'noor',
    caption: 'Quiet please',
    denied: ['can_comment', 'can_download', 'can_duet', 'can_stitch', 'can_embed'],
  },
  { by: 'rune@clips.example', caption: 'Hello @ada, we have herons too', mentions: ['ada'], tags: ['birds'] },
  { by: 'ada', caption: 'Tags: "quotes", <b>angles</b> & ampersands\nand a second line', lang: null },
  { by: 'mei_lin', caption: 'Kiln day', isEdited: true, tags: ['pottery'] },
  { by: 'noor', caption: 'Last bus home', tags: ['night'] },
  { by: 'ada', caption: 'A jay, very loud', tags: ['birds'], hasHls: false, hasAudio: false, lang: null },
  { by: 'rune@clips.example', caption: 'Night train', isSensitive: true },
  {
    by: 'ada',
    caption: `${'Kingfisher! '.repeat(12)}🐦`,
    tags: ['birds', 'kingfisher', 'slowmotion', 'river', 'blue'],
  },
];

// Later than every seeded account.
const firstPostedMs = Date.UTC(2025, 6, 1);
const weekMs = 7 * 86_400_000;

/** The videos of a seed, oldest first, by the accounts of the same seed. Independent of the clock. */
export function seedVideos(seed: number, accounts: readonly StoredAccount[]): StoredVideo[] {
  // Not `seed` itself, which the accounts use: the sequences would be the same.
  const random = createRandom(~seed);
  return videoTemplates.map((template, index) => {
    const postedMs = firstPostedMs + index * weekMs + 1000 * randomInteger(random, 0, weekMs / 1000 - 1);
    return createVideo(template, accounts, postedMs, random);
  });
}

function createVideo(
  template: VideoTemplate,
  accounts: readonly StoredAccount[],
  postedMs: number,
  random: Random,
): StoredVideo {
  const id = snowflake(postedMs, random);
  const code = shortcode(id);
  const author = accountNamed(template.by, accounts);
  const origin = author.remote_url === null ? '' : new URL(author.remote_url).origin;
  const locals = accounts.filter(({ local }) => local).map((account) => account.id);
  const likedBy = shuffle(random, [...locals]).slice(0, randomInteger(random, 0, locals.length));
  const bookmarkedBy = shuffle(random, [...locals]).slice(0, randomInteger(random, 0, 2));
  const allowed = (permission: NonNullable<VideoTemplate['denied']>[number]) =>
    template.denied?.includes(permission) !== true;
  return {
    id,
    account_id: author.id,
    caption: template.caption,
    url: `${origin}/v/${code}`,
    shortcode: code,
    is_sensitive: template.isSensitive ?? false,
    is_local: author.local,
    media: {
      thumbnail: `${origin}/media/videos/${id}.svg`,
      src_url: `${origin}/media/videos/${id}.mp4`,
      hls_url: template.hasHls === false ? null : `${origin}/media/videos/${id}.m3u8`,
      alt_text: template.altText ?? null,
      duration: randomInteger(random, 3, 180),
      ...(randomInteger(random, 0, 3) === 0 ? { width: 1280, height: 720 } : { width: 720, height: 1280 }),
    },
    pinned: template.isPinned ?? false,
    likes: likedBy.length + randomInteger(random, 0, 900),
    shares: randomInteger(random, 0, 90),
    comments: allowed('can_comment') ? randomInteger(random, 0, 120) : 0,
    bookmarks: bookmarkedBy.length + randomInteger(random, 0, 60),
    is_edited: template.isEdited ?? false,
    lang: template.lang === undefined ? 'en' : template.lang,
    tags: [...(template.tags ?? [])],
    mentions: (template.mentions ?? []).map((username) => {
      const { id, url } = accountNamed(username, accounts);
      return { id, username, url };
    }),
    permissions: {
      can_comment: allowed('can_comment'),
      can_download: allowed('can_download'),
      can_duet: allowed('can_duet'),
      can_stitch: allowed('can_stitch'),
      can_embed: allowed('can_embed'),
    },
    audio: createAudio(template, postedMs, random),
    meta: { contains_ai: template.containsAi ?? false, contains_ad: template.containsAd ?? false },
    created_at: timestamp(postedMs),
    liked_by: likedBy,
    bookmarked_by: bookmarkedBy,
  };
}

function createAudio(template: VideoTemplate, postedMs: number, random: Random): StoredVideo['audio'] {
  if (template.hasAudio === false) return { has_audio: false, id: '', count: 0, key: '', sound_id: '' };
  return {
    has_audio: true,
    id: snowflake(postedMs, random, 1),
    count: randomInteger(random, 1, 40),
    key: Array.from({ length: 32 }, () => randomInteger(random, 0, 15).toString(16)).join(''),
    sound_id: snowflake(postedMs, random, 2),
  };
}

function accountNamed(username: string, accounts: readonly StoredAccount[]): StoredAccount {
  const found = accounts.find((account) => account.username === username);
  if (found === undefined) throw new Error(`There is no seeded account ${username}. Add it to accountTemplates.`);
  return found;
}
