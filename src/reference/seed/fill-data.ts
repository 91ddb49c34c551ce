import { DatabaseError, type ReferenceData } from '../data/open-data.ts';
import { JsonFileError } from '../options/json-file-error.ts';
import type { AccountOptions } from './account-options.ts';
import { putAccount } from './put-account.ts';
import { putVideo } from './put-video.ts';
import { seedAccounts } from './seed-accounts.ts';
import { seedVideos } from './seed-videos.ts';
import { unknownUsernames } from './unknown-usernames.ts';
import type { VideoOptions } from './video-options.ts';

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
