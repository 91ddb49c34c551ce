import type { Clock, EpochMs } from '../model/time.ts';
import type { StoreReader } from '../store/store-reader.ts';
import { countDomains, type DomainTotals } from './count-domains.ts';
import { readStatsHistory, type StatsHistory } from './history/stats-history.ts';
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

/** A value of the directory, and how it is made. */
interface Part<Value> {
  make: (previous: Value | null, signal: AbortSignal) => Promise<Value>;
  /** Minimum pause between two runs; longer when a run takes long. */
  pauseMs: number;
  /** Whether the value must be made again without the pause; checked twice a second. */
  isUrgent?: (current: Value | null) => boolean;
}

const SNAPSHOT_PAUSE_MS = 3_000;
const DOMAINS_PAUSE_MS = 15_000;
const HISTORY_PAUSE_MS = 120_000;
/** A value is made again after this time even without a change, because the ages in it are relative to the time of the run. */
const MAX_AGE_MS = 600_000;
/** Interval between checks for a change. */
const CHECK_MS = 500;
/** Runs take at most this share of the time. */
const MAX_SHARE = 1 / 20;

/** Holds the directory in memory, and refreshes it when the database changes. */
export function createDirectory(options: DirectoryOptions): Directory {
  const { reader, openSnapshot, now, clock } = options;
  const snapshots = refreshed<Snapshot>(options, {
    pauseMs: SNAPSHOT_PAUSE_MS,
    isUrgent: (snapshot) => snapshot !== null && snapshot.optOuts !== reader.optOuts.size,
    async make(previous, signal) {
      using snapshotReader = openSnapshot();
      return await readSnapshot({ reader: snapshotReader, at: now(), previous, clock, signal });
    },
  });
  const domainTotals = refreshed<DomainTotals>(options, {
    pauseMs: DOMAINS_PAUSE_MS,
    async make(_previous, signal) {
      using snapshotReader = openSnapshot();
      return await countDomains({ reader: snapshotReader, at: now(), clock, signal });
    },
  });
  const started = Promise.all([snapshots.firstAttempt, domainTotals.firstAttempt]).then(() => {});
  const histories = refreshed<StatsHistory>(options, {
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
    snapshot: snapshots.current,
    domainTotals: domainTotals.current,
    history: histories.current,
    started,
    async [Symbol.asyncDispose]() {
      await Promise.all([snapshots, domainTotals, histories].map((part) => part[Symbol.asyncDispose]()));
    },
  };
}

/** A value made in the background when the database changes. The first run starts at once. After an error the value stays, and the next run tries again. */
function refreshed<Value>(
  { reader, onError, clock }: DirectoryOptions,
  { make, pauseMs, isUrgent = () => false }: Part<Value>,
) {
  const end = new AbortController();
  let current: Value | null = null;
  let madeFromVersion: number | null = null;
  let madeAt = Number.NEGATIVE_INFINITY;
  let dueAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    const startedAt = clock();
    try {
      const version = reader.dataVersion();
      if (version === madeFromVersion && startedAt - madeAt < MAX_AGE_MS) return;
      current = await make(current, end.signal);
      madeFromVersion = version;
      madeAt = startedAt;
    } catch (error) {
      if (!end.signal.aborted) onError(error);
    }
    const endedAt = clock();
    dueAt = endedAt + Math.max(pauseMs, (endedAt - startedAt) * (1 / MAX_SHARE - 1));
  }

  function check(): Promise<void> {
    if (running === null && (clock() >= dueAt || isUrgent(current))) {
      running = refresh().finally(() => {
        running = null;
      });
    }
    return running ?? Promise.resolve();
  }

  const timer = setInterval(check, CHECK_MS);
  timer.unref();
  return {
    current(): Value {
      if (current !== null) return current;
      throw new DirectoryNotReadError('The directory has not been read yet; try again in a moment.');
    },
    /** Resolves when the first attempt has ended, successful or not. */
    firstAttempt: check(),
    async [Symbol.asyncDispose](): Promise<void> {
      clearInterval(timer);
      end.abort();
      await running;
    },
  };
}
