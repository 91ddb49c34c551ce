import { stat } from 'node:fs/promises';
import type { Arrivals } from '../../crawl/crawl-parts.ts';
import type { SourceHttp } from '../../http/source-http.ts';
import { type Claim, createAdmission } from '../../queue/admission.ts';
import type { Settings } from '../../settings/schema.ts';
import type { SelectHtml } from '../../sources/html/html-selection.ts';
import type { SourceError } from '../../sources/source-error.ts';
import type { SourceState } from '../../store/sources/source-state.ts';
import { retryWhileLocked } from '../../store/sqlite/retry-while-locked.ts';
import type { Store } from '../../store/store.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { isOptedOut, notRead, type ReadSource, readSource, type SourceReport, WHY_NOT_READ } from './run-source.ts';
import { asksOthers, type ConfiguredSource, openCrawled, sourceDueAt, sourceList } from './source-list.ts';

/** Which sources are read: those that are due, the files, all that are switched on, or all in full, whether they say that they changed or not. */
export type WhichSources = 'due' | 'files' | 'all' | 'fresh';

/** Sources that ask other servers are remote. */
export type SourceLane = 'local' | 'remote';

export interface ReadOptions {
  /** Called when domains were entered, with how many of them are new. */
  onEntered?: (count: number) => void;
  /** Called with the report of each source that was read, as it ends. */
  onReport?: (report: SourceReport) => void;
}

/** A run of all sources. */
export interface SourcesReading {
  /**
   * Resolves when the local sources were read.
   *
   * @throws {SourceError} when a file cannot be read, once the other files were.
   */
  readonly near: Promise<void>;
  /** Domains that come in meanwhile. */
  readonly arrivals: Arrivals;
  /**
   * A report of each source, in the order of the settings, also of those that were ended early.
   *
   * @throws {SourceError} when a file cannot be read, once the others were.
   */
  readonly ended: Promise<SourceReport[]>;
}

/**
 * The sources of the settings in force. No source is read twice at a time: one that is being read is left out. No remote source is asked while
 * we are offline, which is noted. The signal ends a run early, with what was read until then.
 */
export interface Sources {
  /** Of those that are switched on. */
  keys(): string[];
  /**
   * Reads the sources of one lane.
   *
   * @returns a report of each, in no particular order.
   * @throws {SourceError} when a file cannot be read, once the others were.
   */
  readLane(lane: SourceLane, which: WhichSources, signal: AbortSignal, options?: ReadOptions): Promise<SourceReport[]>;
  /** Begins to read both lanes; neither waits for the other. */
  open(which: WhichSources, signal: AbortSignal, onEntered?: ReadOptions['onEntered']): SourcesReading;
  /** Reads both lanes. Throws as `ended` does, and when the signal aborts. */
  read(which: WhichSources, signal: AbortSignal): Promise<SourceReport[]>;
}

export interface SourcesParts {
  settings: () => Settings;
  store: Store;
  http: SourceHttp;
  selectHtml: SelectHtml;
  /** Whether the DNS answers; asked before a remote source is. */
  isOnline: () => Promise<boolean>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
}

export function createSources({ settings, store, http, selectHtml, isOnline, now, random }: SourcesParts): Sources {
  const slots = createAdmission();
  /** Keys of the sources that are being read, or wait for a slot. */
  const underWay = new Set<string>();
  /** The state of each file when it was last read here. */
  const fileStates = new Map<string, string>();

  const list = () => sourceList(settings(), { open: () => openCrawled(store), optedOut: store.optedOut, random });

  async function dueAmong(candidates: readonly ConfiguredSource[]) {
    const due: ConfiguredSource[] = [];
    const elsewhere: ConfiguredSource[] = [];
    using reader = store.reader();
    const states = new Map(reader.sourceStates().map((state) => [state.key, state]));
    for (const one of candidates) {
      const standing = await standingOf(one, reader, states.get(one.source.key));
      if (standing === 'due') due.push(one);
      else if (standing === 'under-way') elsewhere.push(one);
    }
    return { due, elsewhere };
  }

  async function standingOf({ entry, source }: ConfiguredSource, reader: StoreReader, state: SourceState | undefined) {
    if (entry.type === 'file') return fileStates.get(source.key) !== (await fileState(entry.path)) ? 'due' : 'later';
    const past = { runs: reader.sourceRuns(source.key), notBefore: state?.notBefore ?? null };
    if (now() >= sourceDueAt(past, entry.everyHours, now(), earlyMs(entry.everyHours, settings()))) return 'due';
    return state?.lastRun != null && state.lastRun.outcome === null ? 'under-way' : 'later';
  }

  /** Null when it was not read: aborted, opted out, or being read. */
  async function readOne(
    one: ConfiguredSource,
    which: WhichSources,
    signal: AbortSignal,
    { onEntered }: ReadOptions,
  ): Promise<ReadSource | null> {
    const { entry, source } = one;
    if (underWay.has(source.key)) return null;
    underWay.add(source.key);
    const claims = claimsOf(one);
    await slots.enter(claims);
    try {
      if (signal.aborted) return null;
      if (entry.type === 'file') fileStates.set(source.key, await fileState(entry.path));
      const parts = { settings: settings(), store, http, selectHtml, now, signal, isFresh: which === 'fresh' };
      const read = await readSource(one, { ...parts, ...(onEntered && { onEntered }) });
      if (read?.report.outcome === 'under-way') fileStates.delete(source.key);
      return read;
    } catch (error) {
      fileStates.delete(source.key);
      throw error;
    } finally {
      slots.leave(claims);
      underWay.delete(source.key);
    }
  }

  const readLane: Sources['readLane'] = async (lane, which, signal, options = {}) => {
    if (signal.aborted) return [];
    const all = list();
    const keys = all.map(({ source }) => source.key);
    await retryWhileLocked(() => store.syncActiveSources(keys, now()), { signal });
    const candidates = all.filter(
      (one) =>
        (which !== 'files' || one.entry.type === 'file') &&
        asksOthers(one) === (lane === 'remote') &&
        !underWay.has(one.source.key),
    );
    const { due, elsewhere } = which === 'due' ? await dueAmong(candidates) : { due: candidates, elsewhere: [] };
    const reports = elsewhere.map(({ source }) => notRead(source, 'under-way'));
    if (lane === 'remote' && due.length > 0 && !(await isOnline())) return [...reports, ...(await skipOffline(due))];

    const faults: { ofUs: unknown; ofFile: SourceError | null } = { ofUs: null, ofFile: null };
    await Promise.all(
      due.map(async (one) => {
        try {
          const read = await readOne(one, which, signal, options);
          if (read === null) return;
          reports.push(read.report);
          if (one.entry.type === 'file') faults.ofFile ??= read.error;
          options.onReport?.(read.report);
        } catch (error) {
          faults.ofUs ??= error;
        }
      }),
    );
    if (faults.ofUs !== null) throw faults.ofUs;
    if (faults.ofFile !== null) throw faults.ofFile;
    return reports;
  };

  async function skipOffline(due: readonly ConfiguredSource[]): Promise<SourceReport[]> {
    const left = due.filter(({ source }) => !isOptedOut(source.host, { settings: settings(), store }));
    const skipped = left.map(({ source }) => ({ key: source.key, at: now(), why: WHY_NOT_READ.offline }));
    await retryWhileLocked(() => store.recordSkippedSources(skipped));
    return left.map(({ source }) => notRead(source, 'offline'));
  }

  const open: Sources['open'] = (which, signal, onEntered) => {
    const reports = new Map<string, SourceReport>();
    const arrivals = createArrivals();
    const options: ReadOptions = {
      onEntered(count) {
        onEntered?.(count);
        arrivals.notify();
      },
      onReport: (report) => reports.set(report.key, report),
    };
    const lanes = (['local', 'remote'] as const).map(async (lane) => {
      for (const report of await readLane(lane, which, signal, options)) reports.set(report.key, report);
    });
    const end = async () => {
      const ends = await Promise.allSettled(lanes);
      arrivals.end();
      for (const one of ends) if (one.status === 'rejected') throw one.reason;
      return list().flatMap(({ source }) => reports.get(source.key) ?? []);
    };
    const [near = Promise.resolve()] = lanes;
    const ended = end();
    // The caller may wait for one of them alone, or still be crawling.
    for (const one of [...lanes, ended]) one.catch(() => undefined);
    return { near, arrivals, ended };
  };

  return {
    keys: () => list().map(({ source }) => source.key),
    readLane,
    open,
    async read(which, signal) {
      const reports = await open(which, signal).ended;
      signal.throwIfAborted();
      return reports;
    },
  };
}

/** Remote sources mostly wait, and take no more than their deadlines allow; so many slow ones leave room for the rest. */
const MOST_REMOTE = 16;
/** Files are never waited for behind the network. */
const MOST_LOCAL = 4;
/** A page is held in memory as a whole, a list only piece by piece. */
const LARGE_PAGE_BYTES = 4_194_304;

/** One source a host, whatever its port, and so many at a time. */
function claimsOf(one: ConfiguredSource): Claim[] {
  const { entry, source } = one;
  if (!asksOthers(one)) return [{ key: 'local', limit: MOST_LOCAL }];
  const claims = [{ key: 'remote', limit: MOST_REMOTE }];
  if (source.host !== null) claims.push({ key: `host ${source.host.replace(/:\d+$/, '')}`, limit: 1 });
  if (entry.type === 'page' && entry.maxBytes > LARGE_PAGE_BYTES) claims.push({ key: 'large page', limit: 1 });
  return claims;
}

/**
 * So much earlier than its interval a source counts as due: where it is looked for once a day, with a random delay, it would else be late by
 * a few minutes one day, not yet due the next, and read every other day.
 */
function earlyMs(everyHours: number, { jobs }: Pick<Settings, 'jobs'>): number {
  return Math.min(jobs.maxDelaySeconds * 1_000 + 60_000, (everyHours * 3_600_000) / 10);
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

/** Wakes one listener when domains come in, also for those that came in while it did not listen. */
function createArrivals(): Arrivals & { notify(): void; end(): void } {
  let hasCome = false;
  let isOver = false;
  let news = Promise.withResolvers<void>();
  return {
    notify() {
      hasCome = true;
      news.resolve();
    },
    end() {
      isOver = true;
      news.resolve();
    },
    async next() {
      if (!hasCome && !isOver) await news.promise;
      news = Promise.withResolvers();
      const had = hasCome;
      hasCome = false;
      return had;
    },
  };
}
