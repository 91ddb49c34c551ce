import type { StoredAccount } from '../data/accounts.ts';
import { createRandom, type Random, randomInteger } from '../random.ts';
import { snowflake, timestamp } from './identifiers.ts';

/** The part of an account that is the same for every seed; ids, times, counts and passwords are drawn. */
interface AccountTemplate {
  username: string;
  name: string;
  bio: string;
  /** `url` is the display form of `link`. */
  links: readonly { url: string; link: string; is_verified: boolean }[];
  isAdmin?: boolean;
  approvesFollowers?: boolean;
  hasPlaylists?: boolean;
  /** Base URL of its server; undefined: a local account. */
  remoteOrigin?: string;
}

/**
 * The accounts of every seeded server. They cover the cases that a client must handle: an administrator, manual approval of
 * followers, no posts and no bio, non-Latin scripts and emoji, no link, one or several, verified or not, and an account of another
 * server.
 */
export const accountTemplates: readonly AccountTemplate[] = [
  {
    username: 'ada',
    name: 'Ada Okafor',
    bio: 'I keep this server running and film birds. Questions: ask me anything!',
    links: [
      { url: 'ada.example', link: 'https://ada.example/', is_verified: true },
      {
        url: 'birds.example/a-field-guide-to-th...',
        link: 'https://birds.example/a-field-guide-to-the-birds?page=2',
        is_verified: true,
      },
      { url: 'tips.example/ada', link: 'https://tips.example/ada', is_verified: false },
    ],
    isAdmin: true,
    hasPlaylists: true,
  },
  {
    username: 'noor',
    name: 'Noor نور 🌙',
    bio: 'أصوّر المدينة ليلاً 🌃\nNight walks & street food 🍜 — "slow" <video> only',
    links: [{ url: 'noor.example', link: 'https://noor.example/', is_verified: false }],
    approvesFollowers: true,
  },
  {
    username: 'mei_lin',
    name: '林美',
    bio: '陶芸と猫 🐈‍⬛ 每周一个短片。👩🏽‍🎨',
    links: [],
    hasPlaylists: true,
  },
  { username: 'sam.2', name: 'sam', bio: '', links: [] },
  {
    username: 'rune@clips.example',
    name: 'Rune Ø',
    bio: 'From another server: fjords, trains and weather.',
    links: [{ url: 'rune.example', link: 'https://rune.example/', is_verified: true }],
    remoteOrigin: 'https://clips.example',
  },
];

/** The words of passwords: short, common and easy to tell apart. */
const passwordWords: readonly string[] = (
  'amber anchor apple aspen autumn badger bamboo basil beacon birch bramble breeze candle canyon cedar cherry cinder ' +
  'clover cobalt comet copper coral cotton cricket dahlia daisy delta ember falcon feather fennel fern fiddle flint ' +
  'forest garnet ginger glacier granite harbor hazel heron hickory honey indigo island ivory jasmine juniper kestrel ' +
  'lagoon lantern lemon lilac linen lotus magnet maple marble meadow mint mosaic nectar nutmeg oak olive onyx orchid ' +
  'otter paper pebble pepper pine plum poppy prairie quartz rabbit raven river robin saffron sage sparrow spruce sugar ' +
  'summit thistle timber tulip velvet violet walnut willow winter'
).split(' ');

/** An account with its password, which is null for a remote account. */
export interface SeededAccount {
  account: StoredAccount;
  password: string | null;
}

const firstJoinedMs = Date.UTC(2025, 0, 6);
const monthMs = 30 * 86_400_000;

/** The accounts of a seed, oldest first. Independent of the clock; they have no videos yet, so `post_count` and `likes_count` are 0. */
export function seedAccounts(seed: number): SeededAccount[] {
  const random = createRandom(seed);
  return accountTemplates.map((template, index) => {
    const joinedMs = firstJoinedMs + index * monthMs + 1000 * randomInteger(random, 0, monthMs / 1000 - 1);
    const account = createAccount(template, joinedMs, random);
    return { account, password: template.remoteOrigin === undefined ? createPassword(random) : null };
  });
}

function createAccount(template: AccountTemplate, joinedMs: number, random: Random): StoredAccount {
  const id = snowflake(joinedMs, random);
  const local = template.remoteOrigin === undefined;
  const handle = template.username.split('@')[0];
  return {
    id,
    name: template.name,
    avatar: local ? `/media/avatars/${id}.svg` : `${template.remoteOrigin}/avatars/${handle}.png`,
    username: template.username,
    local,
    bio: template.bio,
    post_count: 0,
    follower_count: randomInteger(random, 0, 2_500),
    following_count: randomInteger(random, 0, 400),
    url: `/@${template.username}`,
    remote_url: local ? null : `${template.remoteOrigin}/@${handle}`,
    manually_approves_followers: template.approvesFollowers ?? false,
    links: template.links.map((link) => ({ ...link })),
    has_playlists: template.hasPlaylists ?? false,
    is_admin: template.isAdmin ?? false,
    created_at: timestamp(joinedMs),
    likes_count: 0,
  };
}

/** Three words and a number, easy to read from a terminal and type. */
function createPassword(random: Random): string {
  const words = Array.from({ length: 3 }, () => passwordWords[randomInteger(random, 0, passwordWords.length - 1)]);
  return `${words.join('-')}-${randomInteger(random, 1000, 9999)}`;
}
