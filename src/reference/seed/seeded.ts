import { createRandom, type Random, randomInteger, shuffle } from '../random.ts';
import { snowflake } from './identifiers.ts';
import type { AccountOptions, VideoOptions } from './options.ts';
import seed from './seed.json' with { type: 'json' };

/** An account of the seed: what is the same for every seed from `seed.json`, and what is drawn. */
export interface SeededAccount {
  options: AccountOptions;
  joinedMs: number;
}

type Template = Omit<VideoOptions, 'mentions'> & { mentions?: readonly string[] };

export interface SeededVideo {
  options: VideoOptions;
  /** Usernames. */
  mentions: readonly string[];
  postedMs: number;
}

/** The usernames of the accounts of every seed. */
export const seededUsernames: readonly string[] = seed.accounts.map(({ username }) => username);

// Independent of the clock. Every video is later than every account.
const firstJoinedMs = Date.UTC(2025, 0, 6);
const monthMs = 30 * 86_400_000;
const firstPostedMs = Date.UTC(2025, 6, 1);
const weekMs = 7 * 86_400_000;

/** The accounts of a seed, oldest first; local ones have a password. */
export function seedAccounts(seedNumber: number): SeededAccount[] {
  const random = createRandom(seedNumber);
  return seed.accounts.map((fields: AccountOptions, index) => {
    const joinedMs = drawTime(random, firstJoinedMs + index * monthMs, monthMs);
    const id = snowflake(joinedMs, random);
    const follower_count = randomInteger(random, 0, 2_500);
    const following_count = randomInteger(random, 0, 400);
    const password = fields.local === false ? {} : { password: drawPassword(random) };
    return { joinedMs, options: { ...fields, id, follower_count, following_count, ...password } };
  });
}

/** The usernames and passwords of the seeded local accounts. */
export function seededAccounts(seed = 1): { username: string; password: string }[] {
  return seedAccounts(seed).flatMap(({ options: { username, password } }) =>
    password === undefined ? [] : [{ username, password }],
  );
}

/** The videos of a seed, oldest first. */
export function seedVideos(seedNumber: number): SeededVideo[] {
  // Not the seed itself, which the accounts use: the sequences would be the same.
  const random = createRandom(~seedNumber);
  const locals = seed.accounts.flatMap(({ username, local = true }) => (local ? [username] : []));
  return seed.videos.map(({ mentions = [], ...fields }: Template, index) => {
    const postedMs = drawTime(random, firstPostedMs + index * weekMs, weekMs);
    const liked_by = shuffle(random, [...locals]).slice(0, randomInteger(random, 0, locals.length));
    const bookmarked_by = shuffle(random, [...locals]).slice(0, randomInteger(random, 0, 2));
    const options = {
      ...fields,
      id: snowflake(postedMs, random),
      media: { duration: randomInteger(random, 3, 180), ...fields.media },
      liked_by,
      bookmarked_by,
      likes: liked_by.length + randomInteger(random, 0, 900),
      shares: randomInteger(random, 0, 90),
      comments: fields.permissions?.can_comment === false ? 0 : randomInteger(random, 0, 120),
      bookmarks: bookmarked_by.length + randomInteger(random, 0, 60),
    };
    return { options, mentions, postedMs };
  });
}

function drawTime(random: Random, fromMs: number, spanMs: number): number {
  return fromMs + 1000 * randomInteger(random, 0, spanMs / 1000 - 1);
}

/** Three short words and a number, easy to read from a terminal and type. */
function drawPassword(random: Random): string {
  const words = Array.from(
    { length: 3 },
    () => seed.passwordWords[randomInteger(random, 0, seed.passwordWords.length - 1)],
  );
  return `${words.join('-')}-${randomInteger(random, 1000, 9999)}`;
}
