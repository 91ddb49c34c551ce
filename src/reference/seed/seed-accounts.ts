import type { KeptAccount } from '../data/accounts.ts';
import { createRandom, type Random, randomInteger } from '../random.ts';
import { cast, type Part } from './cast.ts';
import { snowflake, timestamp } from './identifiers.ts';

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
