import { DatabaseError, type ReferenceData } from '../data/open-data.ts';
import { JsonFileError } from '../options/json-file.ts';
import { type AccountOptions, findUnknownUsernames, type VideoOptions } from './options.ts';
import { accountNamed, addAccount, addVideo, putAccount, putVideo } from './put-options.ts';
import { seedAccounts, seedVideos } from './seeded.ts';

const seedSetting = 'seed';

export interface FillOptions {
  /** Default: the seed of the database, or 1 when it is empty. */
  seed?: number | undefined;
  /** Added to the seeded accounts, or merged into the one with the same username. */
  accounts?: readonly AccountOptions[] | undefined;
  /** Added to the seeded videos, or merged into the one with the same id. */
  videos?: readonly VideoOptions[] | undefined;
}

/**
 * Fills an empty database with the accounts and videos of a seed; a filled one keeps its content. Then adds or updates the
 * accounts and videos of the options, all in one transaction.
 * @throws {DatabaseError} when the database was filled from another seed.
 * @throws {JsonFileError} when options cannot be applied; it lists every problem.
 */
export function fillData(data: ReferenceData, { seed, accounts = [], videos = [] }: FillOptions = {}): void {
  data.transaction(() => {
    const filledFrom = data.setting(seedSetting);
    if (filledFrom === undefined) fill(data, seed ?? 1);
    else if (seed !== undefined && filledFrom !== String(seed)) {
      throw new DatabaseError(
        `The database was filled from the seed ${filledFrom}, not ${seed}. Leave the seed out, or name a file that does not exist yet.`,
      );
    }
    const problems = accounts.flatMap((options, index) => putAccount(data, seedOf(data), options, index));
    // Includes accounts that could not be added: each is reported once, not again for every video that names it.
    const knownUsernames = new Set([...data.accounts.all(), ...accounts].map(({ username }) => username));
    problems.push(
      ...videos.flatMap((options, index) => findUnknownUsernames(options, `videos[${index}]`, [...knownUsernames])),
    );
    if (problems.length > 0) throw new JsonFileError('the options', problems);
    for (const [index, options] of videos.entries()) putVideo(data, seedOf(data), options, index);
  });
}

/** The seed that a database was filled from. */
export function seedOf(data: ReferenceData): number {
  return Number(data.setting(seedSetting));
}

function fill(data: ReferenceData, seed: number): void {
  data.setSetting(seedSetting, String(seed));
  for (const { options, joinedMs } of seedAccounts(seed)) addAccount(data, options, joinedMs);
  for (const { options, mentions, postedMs } of seedVideos(seed)) {
    const accounts = mentions.map((username) => accountNamed(data, username));
    addVideo(
      data,
      { ...options, mentions: accounts.map(({ id, username, url }) => ({ id, username, url })) },
      postedMs,
    );
  }
}
