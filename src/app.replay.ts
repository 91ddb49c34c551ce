import { existsSync } from 'node:fs';
import { type ReplayOptions, type ReplayReport, replay } from './replay.ts';
import type { Settings } from './settings.schema.ts';
import { openReader } from './store/open-reader.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';

export type { ReplayDifference, ReplayReport } from './replay.ts';

/**
 * Replays the database of the settings, in which a service may be at work. Unless it is to be applied, nothing is written.
 *
 * @throws {StoreError} when there is no database yet, or it cannot be read or written.
 */
export async function replayDatabase(settings: Settings, options: ReplayOptions): Promise<ReplayReport> {
  const { database, softwareId, cadence, domains, flags } = settings;
  const run = (store: Pick<Store, 'reader' | 'correct'>) =>
    replay(
      {
        store,
        softwareId,
        allowSuffixes: domains.allowSuffixes,
        policy: cadence,
        now: Date.now,
        clock: () => performance.now(),
        random: Math.random,
      },
      options,
    );
  const read: Store['reader'] = (readerOptions) => openReader(database, { flags, ...readerOptions });
  // To open a store would make a database where there is none; to read says that there is none.
  if (!options.apply || !existsSync(database)) return run({ reader: read, correct: () => false });
  await using store = await openStore({ path: database, now: Date.now });
  // Awaited here: the store is closed as soon as this function has returned.
  return await run({ reader: read, correct: store.correct });
}
