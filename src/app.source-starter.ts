import { stat } from 'node:fs/promises';
import { sourceDueAt } from './app.source-cadence.ts';
import { asksOthers, type ConfiguredSource, openCrawled, sourceList } from './app.source-list.ts';
import { createPlaces } from './app.source-places.ts';
import { isOptedOut, type ReadSource, readSource } from './app.source-reading.ts';
import { notRead, type SourceReport, WHY_NOT_READ } from './app.source-report.ts';
import type { SourceHttp } from './http/source-http.ts';
import type { Settings } from './settings.schema.ts';
import type { SelectHtml } from './sources/html-selection.ts';
import { retryWhileLocked } from './store/retry-while-locked.ts';
import type { SourceState } from './store/source-state.ts';
import type { Store } from './store/store.ts';
import type { StoreReader } from './store/store-reader.ts';

/** Which sources are read: those that are due, the files, all that are switched on, or all anew, whether they say that they changed or not. */
export type WhichSources = 'due' | 'files' | 'all' | 'fresh';

export interface SourcesParts {
  settings: () => Settings;
  store: Store;
  http: SourceHttp;
  selectHtml: SelectHtml;
  /** Whether the DNS answers; asked before other people's servers are. */
  isOnline: () => Promise<boolean>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
}

/** Who is to be read, and how. */
export interface Attempt {
  which: WhichSources;
  signal: AbortSignal;
  /** Those that ask others, or those that do not. */
  isFar: boolean;
  /** Keys of those that had their turn. */
  done: ReadonlySet<string>;
  /** Called when domains have come in, with how many of them are new. */
  onEntered: (count: number) => void;
}

/** What was begun of it. */
export interface Started {
  begun: Map<string, Promise<ReadSource | null>>;
  /** How many more are to be read when there is room. */
  waiting: number;
  unasked: SourceReport[];
}

/** Begins to read sources, as far as there is room. */
export interface SourceStarter {
  /** The sources of the settings in force. */
  list(): ConfiguredSource[];
  /** Begins what may begin; answers how each will end, by key, what waits for a place, and what is not to be asked now. */
  startSome(attempt: Attempt): Promise<Started>;
  /** Keys of those that are being read. */
  reading(): string[];
  /** Resolves when there is room again for one that waits. */
  freed(): Promise<void>;
}

export function createSourceStarter({
  settings,
  store,
  http,
  selectHtml,
  isOnline,
  now,
  random,
}: SourcesParts): SourceStarter {
  const places = createPlaces();
  /** What each file was when it was last read here. */
  const files = new Map<string, string>();

  const list = () =>
    sourceList(settings(), { open: () => openCrawled(store), optedOutAmong: store.optedOutAmong, random });

  /** Those that are due, and those that another process is reading; the rest is read later. */
  async function sorted(candidates: readonly ConfiguredSource[]) {
    const due: ConfiguredSource[] = [];
    const underWay: ConfiguredSource[] = [];
    using reader = store.reader();
    const states = new Map(reader.sourceStates().map((state) => [state.key, state]));
    for (const one of candidates) {
      const stands = await standing(one, reader, states.get(one.source.key));
      if (stands === 'due') due.push(one);
      else if (stands === 'under-way') underWay.push(one);
    }
    return { due, underWay };
  }

  async function standing({ entry, source }: ConfiguredSource, reader: StoreReader, state: SourceState | undefined) {
    if (entry.type === 'file') return files.get(source.key) !== (await fileState(entry.path)) ? 'due' : 'later';
    const runs = reader.sourceRuns(source.key);
    const dueAt = sourceDueAt({ runs, notBefore: state?.notBefore ?? null }, entry.everyHours, now());
    if (now() >= dueAt) return 'due';
    return state?.lastRun != null && state.lastRun.outcome === null ? 'under-way' : 'later';
  }

  function start(one: ConfiguredSource, { which, signal, onEntered }: Attempt): Promise<ReadSource | null> {
    const { entry, source } = one;
    const isFresh = which === 'fresh';
    const reading = places.hold(one, async () => {
      if (entry.type === 'file') files.set(source.key, await fileState(entry.path));
      const parts = { settings: settings(), store, http, selectHtml, now, signal, isFresh, onEntered };
      const read = await readSource(one, parts).catch((error) => {
        files.delete(source.key);
        throw error;
      });
      if (read?.report.outcome === 'under-way') files.delete(source.key);
      return read;
    });
    // Who began it may still be waiting for something else.
    reading.catch(() => undefined);
    return reading;
  }

  async function startSome(attempt: Attempt): Promise<Started> {
    const { which, signal, done, isFar } = attempt;
    const started: Started = { begun: new Map(), waiting: 0, unasked: [] };
    const all = list();
    if (!signal.aborted) {
      const keys = all.map(({ source }) => source.key);
      await retryWhileLocked(() => store.noteSourcesInForce(keys, now()), { signal });
    }
    const candidates = all.filter(({ entry, source }) => {
      const isWanted = which !== 'files' || entry.type === 'file';
      return (
        isWanted && asksOthers({ entry, source }) === isFar && !done.has(source.key) && !places.isReading(source.key)
      );
    });
    const { due: wanted, underWay } = which === 'due' ? await sorted(candidates) : { due: candidates, underWay: [] };
    started.unasked.push(...underWay.map(({ source }) => notRead(source, 'under-way')));
    if (isFar && wanted.length > 0 && !(await isOnline())) {
      const left = wanted.filter(({ source }) => !isOptedOut(source.host, { settings: settings(), store }));
      await noteOffline(left);
      started.unasked.push(...left.map(({ source }) => notRead(source, 'offline')));
      return started;
    }
    for (const one of wanted) {
      if (signal.aborted) break;
      if (places.hasRoomFor(one)) started.begun.set(one.source.key, start(one, attempt));
      else started.waiting += 1;
    }
    return started;
  }

  async function noteOffline(left: readonly ConfiguredSource[]): Promise<void> {
    const unasked = left.map(({ source }) => ({ key: source.key, at: now(), why: WHY_NOT_READ.offline }));
    await retryWhileLocked(() => store.noteUnasked(unasked));
  }

  return { list, startSome, reading: places.reading, freed: places.freed };
}

/** Another text whenever the file may have changed. */
async function fileState(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}
