import type { StoreReader } from '../store/store-reader.ts';
import { createRefresher } from './refresher.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { type Survey, takeSurvey } from './survey.ts';

/** The first read of the database has not finished. */
export class DirectoryNotReadError extends Error {
  override readonly name = 'DirectoryNotReadError';
}

/** The data from which requests are answered without a database query. */
export interface Directory extends AsyncDisposable {
  /** @throws {DirectoryNotReadError} before the first read. */
  snapshot(): Snapshot;
  /** @throws {DirectoryNotReadError} before the first read. */
  survey(): Survey;
  /** Both; the same object until one of them changes. */
  current(): { readonly snapshot: Snapshot; readonly survey: Survey };
  /** Resolves after the first attempt to read both. */
  readonly started: Promise<void>;
}

export interface DirectoryOptions {
  /** Sees every commit. */
  reader: StoreReader;
  /** Opens a reader on a snapshot of the database. */
  openSnapshot: () => StoreReader;
  onError: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

const SNAPSHOT_PAUSE_MS = 3_000;
const SURVEY_PAUSE_MS = 15_000;
const MAX_AGE_MS = 600_000;

/** Holds the directory in memory, and refreshes it when the database changes. */
export function createDirectory(options: DirectoryOptions): Directory {
  const { reader, openSnapshot, onError, now, clock } = options;
  const common = { version: () => reader.dataVersion(), maxAgeMs: MAX_AGE_MS, onError, clock };
  const snapshots = createRefresher<Snapshot>({
    ...common,
    pauseMs: SNAPSHOT_PAUSE_MS,
    async make(previous, signal) {
      using view = openSnapshot();
      return await readSnapshot({ reader: view, at: now(), previous, clock, signal });
    },
  });
  const surveys = createRefresher<Survey>({
    ...common,
    pauseMs: SURVEY_PAUSE_MS,
    async make(_previous, signal) {
      using view = openSnapshot();
      return await takeSurvey({ reader: view, at: now(), clock, signal });
    },
  });
  const snapshot = () => snapshots.current() ?? notYet();
  const survey = () => surveys.current() ?? notYet();
  let latest: ReturnType<Directory['current']> | null = null;
  return {
    snapshot,
    survey,
    current() {
      const next = { snapshot: snapshot(), survey: survey() };
      if (latest?.snapshot !== next.snapshot || latest.survey !== next.survey) latest = next;
      return latest;
    },
    started: Promise.all([snapshots.started, surveys.started]).then(() => {}),
    async [Symbol.asyncDispose]() {
      await Promise.all([snapshots[Symbol.asyncDispose](), surveys[Symbol.asyncDispose]()]);
    },
  };
}

function notYet(): never {
  throw new DirectoryNotReadError('The directory has not been read yet; try again in a moment.');
}
