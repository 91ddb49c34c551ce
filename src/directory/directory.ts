import type { Clock, EpochMs } from '../model/time.ts';
import type { StoreReader } from '../store/store-reader.ts';
import { countDomains, type DomainTotals } from './count-domains.ts';
import { readStatsHistory, type StatsHistory } from './history/stats-history.ts';
import { createRefresher } from './refresher.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { trendsOf } from './trends.ts';

/** The first read of the database has not finished. */
export class DirectoryNotReadError extends Error {
  override readonly name = 'DirectoryNotReadError';
}

/** The data from which requests are answered without a database query. */
export interface Directory extends AsyncDisposable {
  /** @throws {DirectoryNotReadError} before the first read. */
  snapshot(): Snapshot;
  /** @throws {DirectoryNotReadError} before the first read. */
  domainTotals(): DomainTotals;
  /** The statistics over time. @throws {DirectoryNotReadError} before they were first read, which begins only when `started` resolves. */
  history(): StatsHistory;
  /** Resolves after the first attempt to read the snapshot and the totals of the domains. */
  readonly started: Promise<void>;
}

export interface DirectoryOptions {
  /** Not a snapshot: it sees every commit. */
  reader: StoreReader;
  /** Opens a reader on a snapshot of the database. */
  openSnapshot: () => StoreReader;
  onError: (error: unknown) => void;
  now: () => EpochMs;
  clock: Clock;
}

const SNAPSHOT_PAUSE_MS = 3_000;
const DOMAINS_PAUSE_MS = 15_000;
const HISTORY_PAUSE_MS = 120_000;
const MAX_AGE_MS = 600_000;

/** Holds the directory in memory, and refreshes it when the database changes. */
export function createDirectory(options: DirectoryOptions): Directory {
  const { reader, openSnapshot, onError, now, clock } = options;
  const common = { version: () => reader.dataVersion(), maxAgeMs: MAX_AGE_MS, onError, clock };
  const snapshots = createRefresher<Snapshot>({
    ...common,
    pauseMs: SNAPSHOT_PAUSE_MS,
    isUrgent: (snapshot) => snapshot !== null && snapshot.optOuts !== reader.optOuts.size,
    async make(previous, signal) {
      using snapshotReader = openSnapshot();
      return await readSnapshot({ reader: snapshotReader, at: now(), previous, clock, signal });
    },
  });
  const domainTotals = createRefresher<DomainTotals>({
    ...common,
    pauseMs: DOMAINS_PAUSE_MS,
    async make(_previous, signal) {
      using snapshotReader = openSnapshot();
      return await countDomains({ reader: snapshotReader, at: now(), clock, signal });
    },
  });
  const started = Promise.all([snapshots.firstAttempt, domainTotals.firstAttempt]).then(() => {});
  const histories = createRefresher<StatsHistory>({
    ...common,
    pauseMs: HISTORY_PAUSE_MS,
    async make(_previous, signal) {
      await started;
      signal.throwIfAborted();
      using snapshotReader = openSnapshot();
      const history = await readStatsHistory({ reader: snapshotReader, at: now(), clock, signal });
      // Computes and caches the trends, so that no request waits for them.
      trendsOf(history);
      return history;
    },
  });
  return {
    snapshot: () => snapshots.current() ?? throwNotRead(),
    domainTotals: () => domainTotals.current() ?? throwNotRead(),
    history: () => histories.current() ?? throwNotRead(),
    started,
    async [Symbol.asyncDispose]() {
      await Promise.all([snapshots, domainTotals, histories].map((refresher) => refresher[Symbol.asyncDispose]()));
    },
  };
}

function throwNotRead(): never {
  throw new DirectoryNotReadError('The directory has not been read yet; try again in a moment.');
}
