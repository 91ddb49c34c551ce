import { stat } from 'node:fs/promises';
import { sourceDueAt } from './app.source-cadence.ts';
import { asksOthers, type ConfiguredSource, openCrawled, sourceList } from './app.source-list.ts';
import { notAsked, type ReadSource, readSource, type SourceReport } from './app.source-reading.ts';
import type { SourceHttp } from './http/source-http.ts';
import type { Settings } from './settings.schema.ts';
import type { SourceError } from './sources/source-error.ts';
import type { Store } from './store/store.ts';

/** Sources read at a time; of one host, one. */
const MOST_AT_A_TIME = 4;

/** Which sources are read: those that are due, the files, all that are switched on, or all anew, whether they say that they changed or not. */
export type WhichSources = 'due' | 'files' | 'all' | 'fresh';

/** The sources of the settings in force. */
export interface Sources {
  /** Of those that are switched on. */
  keys(): string[];
  /**
   * Begins to read those that are due and not yet being read, as many as may be read at a time, and answers how each ends. None of
   * other people's servers is asked while we are offline. The signal ends them early, with what was read until then.
   */
  begin(which: WhichSources, signal: AbortSignal): Promise<Promise<SourceReport | null>[]>;
  /**
   * Reads them all, and waits for it.
   *
   * @throws {SourceError} when a file cannot be read, once the others were.
   */
  read(which: WhichSources, signal: AbortSignal): Promise<SourceReport[]>;
}

export interface SourcesParts {
  settings: () => Settings;
  store: Store;
  http: SourceHttp;
  /** Whether the DNS answers; asked before other people's servers are. */
  isOnline: () => Promise<boolean>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
}

export function createSources({ settings, store, http, isOnline, now, random }: SourcesParts): Sources {
  const underWay = new Map<string, { host: string | null; ending: Promise<ReadSource | null> }>();
  /** Until when a source asked to be left alone. */
  const notBefore = new Map<string, number>();
  /** What each file was when it was last read here. */
  const files = new Map<string, string>();

  const list = () => sourceList(settings(), { open: () => openCrawled(store), random });

  async function isDue({ entry, source }: ConfiguredSource): Promise<boolean> {
    if (now() < (notBefore.get(source.key) ?? 0)) return false;
    if (entry.type === 'file') return files.get(source.key) !== (await fileState(entry.path));
    using reader = store.reader();
    return now() >= sourceDueAt(reader.sourceRuns(source.key), entry.everyHours, now());
  }

  async function wanted(which: WhichSources, done: ReadonlySet<string>): Promise<ConfiguredSource[]> {
    const waiting = list().filter(({ source }) => !underWay.has(source.key) && !done.has(source.key));
    if (which === 'files') return waiting.filter(({ entry }) => entry.type === 'file');
    if (which !== 'due') return waiting;
    const due: ConfiguredSource[] = [];
    for (const one of waiting) if (await isDue(one)) due.push(one);
    return due;
  }

  function start(
    { entry, source }: ConfiguredSource,
    isFresh: boolean,
    signal: AbortSignal,
  ): Promise<ReadSource | null> {
    const reading = async () => {
      if (entry.type === 'file') files.set(source.key, await fileState(entry.path));
      const read = await readSource({ entry, source }, { settings: settings(), store, http, now, signal, isFresh });
      notBefore.set(source.key, now() + (read?.error?.retryAfterMs ?? 0));
      return read;
    };
    const ending = reading()
      .catch((error) => {
        files.delete(source.key);
        throw error;
      })
      .finally(() => underWay.delete(source.key));
    underWay.set(source.key, { host: source.host, ending });
    return ending;
  }

  /** Begins what may begin; answers how each will end, by key, and what was left because we are offline. */
  async function startSome({ which, signal, done, online }: Attempt) {
    const begun = new Map<string, Promise<ReadSource | null>>();
    const waiting = await wanted(which, done);
    const isCutOff = waiting.some(asksOthers) && !(await online());
    const cutOff = waiting.filter((one) => isCutOff && asksOthers(one));
    for (const one of waiting) {
      const { key, host } = one.source;
      if (signal.aborted || underWay.size >= MOST_AT_A_TIME) break;
      const isBusy = [...underWay.values()].some((other) => host !== null && other.host === host);
      if (!isBusy && !underWay.has(key) && !cutOff.includes(one)) begun.set(key, start(one, which === 'fresh', signal));
    }
    return { begun, cutOff };
  }

  return {
    keys: () => list().map(({ source }) => source.key),

    async begin(which, signal) {
      const { begun } = await startSome({ which, signal, done: new Set(), online: isOnline });
      return [...begun.values()].map(async (ending) => (await ending)?.report ?? null);
    },

    async read(which, signal) {
      const done = new Set<string>();
      const reports = new Map<string, SourceReport>();
      const running = new Set<Promise<void>>();
      const faults: { ofStore: unknown; ofFile: SourceError | null } = { ofStore: null, ofFile: null };
      let asked: Promise<boolean> | null = null;
      const online = () => {
        asked ??= isOnline();
        return asked;
      };
      const collect = async (key: string, ending: Promise<ReadSource | null>) => {
        try {
          const read = await ending;
          if (read === null) return;
          reports.set(key, read.report);
          if (read.report.type === 'file') faults.ofFile ??= read.error;
        } catch (error) {
          faults.ofStore ??= error;
        }
      };
      for (;;) {
        const { begun, cutOff } = await startSome({ which, signal, done, online });
        for (const [key, ending] of begun) {
          done.add(key);
          const collecting = collect(key, ending).finally(() => running.delete(collecting));
          running.add(collecting);
        }
        for (const { source } of cutOff) {
          done.add(source.key);
          reports.set(source.key, notAsked(source));
        }
        if (running.size === 0) break;
        await Promise.race(running);
      }
      signal.throwIfAborted();
      if (faults.ofStore !== null) throw faults.ofStore;
      if (faults.ofFile !== null) throw faults.ofFile;
      return list().flatMap(({ source }) => reports.get(source.key) ?? []);
    },
  };
}

interface Attempt {
  which: WhichSources;
  signal: AbortSignal;
  /** Keys of those that had their turn. */
  done: ReadonlySet<string>;
  online: () => Promise<boolean>;
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
