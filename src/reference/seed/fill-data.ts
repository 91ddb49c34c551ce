import type { KeptAccount } from '../data/accounts.ts';
import { DatabaseError, type ReferenceData } from '../data/open-data.ts';
import { JsonFileError } from '../options/json-file.ts';
import { overlay } from '../overlay.ts';
import { createRandom, randomInteger } from '../random.ts';
import { snowflake, timestamp } from './identifiers.ts';
import { type AccountOptions, unknownUsernames, type VideoOptions } from './options.ts';
import { putVideo } from './put-video.ts';
import { seedAccounts } from './seed-accounts.ts';
import { seedVideos } from './seed-videos.ts';

// After everything that a seed gives.
const earliestMs = Date.UTC(2026, 0, 5);
const spanSeconds = 30 * 86_400;

/**
 * Changes the account of this username, or adds it; twice is the same as once. A new id follows from the seed and the name.
 * Returns what keeps it from that, if anything does.
 * @param place that in the list of options.
 */
function putAccount(data: ReferenceData, seed: number, given: AccountOptions, place: number): string[] {
  const { password, ...options } = given;
  const { id, ...changes } = options;
  const known = data.accounts.findByUsername(options.username);
  const holder = id === undefined ? undefined : data.accounts.find(id);
  if (known !== undefined && id !== undefined && id !== known.id) {
    return [`accounts[${place}].id is "${id}"; ${known.username} has the id ${known.id}: leave it out`];
  }
  if (known === undefined && holder !== undefined) {
    return [`accounts[${place}].id is "${id}"; that is the id of ${holder.username}: take another, or leave it out`];
  }
  if (known === undefined) {
    data.accounts.add(overlay(plainAccount(seed, options), options), password);
    return [];
  }
  data.accounts.update(known.id, changes);
  if (password !== undefined) data.accounts.setPassword(known.id, password);
  return [];
}

function plainAccount(seed: number, { id, username, local = true }: AccountOptions): KeptAccount {
  const random = createRandom(
    [...username].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), seed),
  );
  const joinedMs = earliestMs + 1000 * randomInteger(random, 0, spanSeconds - 1);
  const ownId = id ?? snowflake(joinedMs, random);
  const [handle, host = 'elsewhere.example'] = username.split('@');
  return {
    id: ownId,
    name: username,
    avatar: `/media/avatars/${encodeURIComponent(ownId)}.svg`,
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
}

const seedFact = 'seed';

export interface FillOptions {
  /** Default: that of the database, or 1 when it is empty. */
  seed?: number | undefined;
  /** Laid over the seeded accounts by username, or added to them. */
  accounts?: readonly AccountOptions[] | undefined;
  /** Laid over the videos by id, or added to them. */
  videos?: readonly VideoOptions[] | undefined;
}

/**
 * Fills an empty database with accounts and videos, the same for the same seed; one that was filled before stays as it is.
 * Then puts the named accounts and videos into it. All or nothing.
 * @throws {DatabaseError} when a seed is given and it was filled from another one.
 * @throws {JsonFileError} when named accounts or videos cannot be put in; it says of each which and why.
 */
export function fillData(data: ReferenceData, { seed, accounts = [], videos = [] }: FillOptions = {}): void {
  data.transaction(() => {
    const filledFrom = data.fact(seedFact);
    if (filledFrom === undefined) fill(data, seed ?? 1);
    else if (seed !== undefined && filledFrom !== String(seed)) {
      throw new DatabaseError(
        `The database was filled from the seed ${filledFrom}, not ${seed}. Leave the seed out, or name a file that does not exist yet.`,
      );
    }
    const problems = accounts.flatMap((options, place) => putAccount(data, seedOf(data), options, place));
    // The account of an option that cannot be used is wrong there, and not once more in each video that names it.
    const known = new Set([...data.accounts.all(), ...accounts].map(({ username }) => username));
    problems.push(...videos.flatMap((options, place) => unknownUsernames(options, `videos[${place}]`, [...known])));
    if (problems.length > 0) throw new JsonFileError('the options', problems);
    for (const [place, options] of videos.entries()) putVideo(data, seedOf(data), options, place);
  });
}

/** The seed that a database was filled from. */
export function seedOf(data: ReferenceData): number {
  return Number(data.fact(seedFact));
}

function fill(data: ReferenceData, seed: number): void {
  const seeded = seedAccounts(seed);
  const accounts = seeded.map(({ account }) => account);
  const videos = seedVideos(seed, accounts);
  for (const { account, password } of seeded) {
    const own = videos.filter(({ account_id }) => account_id === account.id);
    const counts = { post_count: own.length, likes_count: own.reduce((sum, { likes }) => sum + likes, 0) };
    data.accounts.add({ ...account, ...counts }, password ?? undefined);
  }
  for (const video of videos) data.videos.add(video);
  data.setFact(seedFact, String(seed));
}
