import type { StoreReader } from '../store/store-reader.ts';
import { createRefresher } from './refresher.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { type Survey, takeSurvey } from './survey.ts';

/** The database has not been read for the first time yet. */
export class DirectoryNotReadError extends Error {
  override readonly name = 'DirectoryNotReadError';
}

/** What requests are answered from without asking the database. */
export interface Directory extends AsyncDisposable {
  /** @throws {DirectoryNotReadError} before the first read. */
  snapshot(): Snapshot;
  /** @throws {DirectoryNotReadError} before the first read. */
  survey(): Survey;
  /** Both; the same object as long as neither has changed. */
  whole(): { readonly snapshot: Snapshot; readonly survey: Survey };
  /** Resolves when both have been read, or could not be. */
  readonly started: Promise<void>;
}

export interface DirectoryOptions {
  /** Follows what is committed. */
  reader: StoreReader;
  /** Opens a reader on the moment of opening. */
  openSnapshot: () => StoreReader;
  onError: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
}

const SNAPSHOT_PAUSE_MS = 3_000;
const SURVEY_PAUSE_MS = 15_000;
const MOST_AGE_MS = 600_000;

/** Keeps the directory in memory, and follows the database. */
export function createDirectory(options: DirectoryOptions): Directory {
  const { reader, openSnapshot, onError, now, clock } = options;
  const common = { mark: () => reader.dataVersion(), mostAgeMs: MOST_AGE_MS, onError, clock };
  const snapshots = createRefresher<Snapshot>({
    ...common,
    pauseMs: SNAPSHOT_PAUSE_MS,
    async make(previous, signal) {
      using moment = openSnapshot();
      return await readSnapshot({ reader: moment, at: now(), previous, clock, signal });
    },
  });
  const surveys = createRefresher<Survey>({
    ...common,
    pauseMs: SURVEY_PAUSE_MS,
    async make(_previous, signal) {
      using moment = openSnapshot();
      return await takeSurvey({ reader: moment, at: now(), clock, signal });
    },
  });
  const snapshot = () => snapshots.current() ?? notYet();
  const survey = () => surveys.current() ?? notYet();
  let whole: ReturnType<Directory['whole']> | null = null;
  return {
    snapshot,
    survey,
    whole() {
      const latest = { snapshot: snapshot(), survey: survey() };
      if (whole?.snapshot !== latest.snapshot || whole.survey !== latest.survey) whole = latest;
      return whole;
    },
    started: Promise.all([snapshots.started, surveys.started]).then(() => {}),
    async [Symbol.asyncDispose]() {
      await Promise.all([snapshots[Symbol.asyncDispose](), surveys[Symbol.asyncDispose]()]);
    },
  };
}

function notYet(): never {
  throw new DirectoryNotReadError('The directory has not been read yet; ask again in a moment.');
}
