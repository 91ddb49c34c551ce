import type { KeptAccount } from '../data/accounts.ts';
import { createRandom, type Random, randomInteger } from '../random.ts';
import { snowflake, timestamp } from './identifiers.ts';

/** What is the same of an account for every seed; ids, times, counts and passwords are drawn. */
interface Part {
  username: string;
  name: string;
  bio: string;
  /** Links whose display form is `url`. */
  links: readonly { url: string; link: string; is_verified: boolean }[];
  isAdmin?: boolean;
  approvesFollowers?: boolean;
  hasPlaylists?: boolean;
  /** Base URL of the server it lives on; without it, it lives here. */
  remoteOrigin?: string;
}

/**
 * The accounts of every seeded server. Between them they hold what a client has to cope with: an administrator, one who
 * approves followers by hand, no posts and no bio, other scripts and emoji, several links, verified and not, or none, and
 * one account of another server.
 */
export const cast: readonly Part[] = [
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

/** Words that passwords are made of: short, plain, and hard to mistake for one another. */
const passwordWords: readonly string[] = (
  'amber anchor apple aspen autumn badger bamboo basil beacon birch bramble breeze candle canyon cedar cherry cinder ' +
  'clover cobalt comet copper coral cotton cricket dahlia daisy delta ember falcon feather fennel fern fiddle flint ' +
  'forest garnet ginger glacier granite harbor hazel heron hickory honey indigo island ivory jasmine juniper kestrel ' +
  'lagoon lantern lemon lilac linen lotus magnet maple marble meadow mint mosaic nectar nutmeg oak olive onyx orchid ' +
  'otter paper pebble pepper pine plum poppy prairie quartz rabbit raven river robin saffron sage sparrow spruce sugar ' +
  'summit thistle timber tulip velvet violet walnut willow winter'
).split(' ');

/** An account with its password, which is null for one of another server. */
export interface SeededAccount {
  account: KeptAccount;
  password: string | null;
}

const firstJoinedMs = Date.UTC(2025, 0, 6);
const monthMs = 30 * 86_400_000;

/** The accounts of a seed, the oldest first. They do not hang on the clock, and know of no videos yet. */
export function seedAccounts(seed: number): SeededAccount[] {
  const random = createRandom(seed);
  return cast.map((part, index) => {
    const joinedMs = firstJoinedMs + index * monthMs + 1000 * randomInteger(random, 0, monthMs / 1000 - 1);
    const account = createAccount(part, joinedMs, random);
    return { account, password: part.remoteOrigin === undefined ? createPassword(random) : null };
  });
}

function createAccount(part: Part, joinedMs: number, random: Random): KeptAccount {
  const id = snowflake(joinedMs, random);
  const local = part.remoteOrigin === undefined;
  const handle = part.username.split('@')[0];
  return {
    id,
    name: part.name,
    avatar: local ? `/media/avatars/${id}.svg` : `${part.remoteOrigin}/avatars/${handle}.png`,
    username: part.username,
    local,
    bio: part.bio,
    post_count: 0,
    follower_count: randomInteger(random, 0, 2_500),
    following_count: randomInteger(random, 0, 400),
    url: `/@${part.username}`,
    remote_url: local ? null : `${part.remoteOrigin}/@${handle}`,
    manually_approves_followers: part.approvesFollowers ?? false,
    links: part.links.map((link) => ({ ...link })),
    has_playlists: part.hasPlaylists ?? false,
    is_admin: part.isAdmin ?? false,
    created_at: timestamp(joinedMs),
    likes_count: 0,
  };
}

/** Three words and a number, to be read off a terminal and typed. */
function createPassword(random: Random): string {
  const words = Array.from({ length: 3 }, () => passwordWords[randomInteger(random, 0, passwordWords.length - 1)]);
  return `${words.join('-')}-${randomInteger(random, 1000, 9999)}`;
}
