import { stat } from 'node:fs/promises';
import { HostLimits, type Slot } from '../../crawl/host-limits.ts';
import type { SourceHttp } from '../../http/source-http.ts';
import type { Settings } from '../../settings/schema.ts';
import type { SelectHtml } from '../../sources/html/html-selection.ts';
import type { SourceError } from '../../sources/source-error.ts';
import type { SourceState } from '../../store/sources/source-state.ts';
import type { Store } from '../../store/store.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import {
  isOptedOut,
  OFFLINE_WHY,
  readSource,
  type SourceReport,
  type SourceRunOutcome,
  skippedReport,
} from './run-source.ts';
import {
  type ConfiguredSource,
  isRemote,
  listConfiguredSources,
  openCrawledDomains,
  sourceDueAt,
} from './source-list.ts';

/** Enabled sources only. `all`: due or not; `fresh`: like `all`, but each in full, even if its list has not changed. */
export type WhichSources = 'due' | 'files' | 'all' | 'fresh';

/** Sources that send requests to other servers are remote. */
export type SourceLane = 'local' | 'remote';

export interface ReadOptions {
  /** Called after domains were stored, with the number of new ones. */
  onEntered?: (count: number) => void;
  /** Called at the end of each source's run. */
  onReport?: (report: SourceReport) => void;
}

/** The runs of both lanes. */
export interface SourcesRun {
  /**
   * Resolves when all local sources were read.
   *
   * @throws {SourceError} when a file cannot be read; the other files are read nevertheless.
   */
  readonly local: Promise<void>;
  /**
   * The reports of the sources that were read, in the order of the settings. An aborted run has a report too.
   *
   * @throws {SourceError} when a file cannot be read; the other sources are read nevertheless.
   */
  readonly ended: Promise<SourceReport[]>;
}

/**
 * Reads the sources of the settings in force. A source that is being read is not read a second time. While the crawler is offline, remote
 * sources are skipped, and the skip is stored. When the signal aborts, a run ends early and keeps the domains read so far.
 */
export interface Sources {
  /** The keys of the enabled sources whose hosts have not opted out. */
  keys(): string[];
  /**
   * Reads the sources of one lane.
   *
   * @returns a report of each, in no particular order.
   * @throws {SourceError} when a file cannot be read; the other sources are read nevertheless.
   */
  readLane(lane: SourceLane, which: WhichSources, signal: AbortSignal, options?: ReadOptions): Promise<SourceReport[]>;
  /** Starts reading both lanes in parallel. */
  open(which: WhichSources, signal: AbortSignal, onEntered?: ReadOptions['onEntered']): SourcesRun;
  /** Reads both lanes. @throws as `ended` does; the signal's reason when the signal aborts. */
  read(which: WhichSources, signal: AbortSignal): Promise<SourceReport[]>;
}

export interface SourcesOptions {
  settings: () => Settings;
  store: Store;
  http: SourceHttp;
  selectHtml: SelectHtml;
  /** Whether the DNS servers respond; called before remote sources are read. */
  isOnline: () => Promise<boolean>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** In [0, 1). */
  random: () => number;
}

export function createSources({ settings, store, http, selectHtml, isOnline, now, random }: SourcesOptions): Sources {
  const slots = new HostLimits();
  /** Keys of the sources that are being read or wait for a slot. */
  const active = new Set<string>();
  /** The state of each file when this process last read it. */
  const fileStates = new Map<string, string>();

  const list = () =>
    listConfiguredSources(settings(), { open: () => openCrawledDomains(store), random }).filter(
      ({ source }) => !isOptedOut(source.host, { settings: settings(), store }),
    );

  async function dueAmong(candidates: readonly ConfiguredSource[]): Promise<ConfiguredSource[]> {
    const due: ConfiguredSource[] = [];
    using reader = store.reader();
    const states = new Map(reader.sourceStates().map((state) => [state.key, state]));
    for (const candidate of candidates)
      if (await isDue(candidate, reader, states.get(candidate.source.key))) due.push(candidate);
    return due;
  }

  async function isDue({ entry, source }: ConfiguredSource, reader: StoreReader, state: SourceState | undefined) {
    if (entry.type === 'file') return fileStates.get(source.key) !== (await fileState(entry.path));
    const past = { runs: reader.sourceRuns(source.key), notBefore: state?.notBefore ?? null };
    const at = now();
    return at >= sourceDueAt(past, entry.everyHours, at, earlyMs(entry.everyHours, settings()));
  }

  /** Null when the source was not read: aborted, opted out, or already being read. */
  async function readOne(
    configured: ConfiguredSource,
    which: WhichSources,
    signal: AbortSignal,
    { onEntered }: ReadOptions,
  ): Promise<SourceRunOutcome | null> {
    const { entry, source } = configured;
    if (active.has(source.key)) return null;
    active.add(source.key);
    const needed = slotsOf(configured);
    await slots.acquire(needed);
    try {
      if (signal.aborted) return null;
      if (entry.type === 'file') fileStates.set(source.key, await fileState(entry.path));
      const parts = { settings: settings(), store, http, selectHtml, now, signal, isFullRead: which === 'fresh' };
      return await readSource(configured, { ...parts, ...(onEntered && { onEntered }) });
    } catch (error) {
      fileStates.delete(source.key);
      throw error;
    } finally {
      slots.release(needed);
      active.delete(source.key);
    }
  }

  const readLane: Sources['readLane'] = async (lane, which, signal, options = {}) => {
    if (signal.aborted) return [];
    const enabled = list();
    const keys = enabled.map(({ source }) => source.key);
    store.syncActiveSources(keys);
    const candidates = enabled.filter(
      (configured) =>
        (which !== 'files' || configured.entry.type === 'file') &&
        isRemote(configured) === (lane === 'remote') &&
        !active.has(configured.source.key),
    );
    const due = which === 'due' ? await dueAmong(candidates) : candidates;
    const reports: SourceReport[] = [];
    if (lane === 'remote' && due.length > 0 && !(await isOnline())) return skipOffline(due);

    let unexpected: unknown = null;
    let fileError: SourceError | null = null;
    await Promise.all(
      due.map(async (configured) => {
        try {
          const result = await readOne(configured, which, signal, options);
          if (result === null) return;
          reports.push(result.report);
          if (configured.entry.type === 'file') fileError ??= result.error;
          options.onReport?.(result.report);
        } catch (error) {
          unexpected ??= error;
        }
      }),
    );
    if (unexpected !== null) throw unexpected;
    if (fileError !== null) throw fileError;
    return reports;
  };

  function skipOffline(due: readonly ConfiguredSource[]): SourceReport[] {
    store.recordSkippedSources(due.map(({ source }) => ({ key: source.key, at: now(), why: OFFLINE_WHY })));
    return due.map(({ source }) => skippedReport(source));
  }

  const open: Sources['open'] = (which, signal, onEntered) => {
    const reports = new Map<string, SourceReport>();
    const options: ReadOptions = {
      ...(onEntered && { onEntered }),
      onReport: (report) => reports.set(report.key, report),
    };
    const lanes = (['local', 'remote'] as const).map(async (lane) => {
      for (const report of await readLane(lane, which, signal, options)) reports.set(report.key, report);
    });
    const collect = async () => {
      const results = await Promise.allSettled(lanes);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      return list().flatMap(({ source }) => reports.get(source.key) ?? []);
    };
    const [local = Promise.resolve()] = lanes;
    const ended = collect();
    // The caller may await only one of these promises, or none until its crawl ends.
    for (const promise of [...lanes, ended]) promise.catch(() => undefined);
    return { local, ended };
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

/** Remote sources mostly wait for answers, so a few slow ones must not block the rest. */
const MAX_REMOTE = 16;
/** Local sources never queue behind remote ones. */
const MAX_LOCAL = 4;
/** A list is streamed, but a page is held in memory: pages that may be larger than this are read one at a time. */
const LARGE_PAGE_BYTES = 4_194_304;

/** The slots that a run needs: one run per host, on any port, and a limited number in total. */
function slotsOf(configured: ConfiguredSource): Slot[] {
  const { entry, source } = configured;
  if (!isRemote(configured)) return [{ key: 'local', limit: MAX_LOCAL }];
  const claims = [{ key: 'remote', limit: MAX_REMOTE }];
  if (source.host !== null) claims.push({ key: `host ${source.host.replace(/:\d+$/, '')}`, limit: 1 });
  if (entry.type === 'page' && entry.maxBytes > LARGE_PAGE_BYTES) claims.push({ key: 'large page', limit: 1 });
  return claims;
}

/**
 * A source is due this much before its interval ends. Otherwise, a daily job with a random delay could run a few minutes before the source
 * is due, and would read it only every other day.
 */
export function earlyMs(everyHours: number, { jobs }: Pick<Settings, 'jobs'>): number {
  return Math.min(jobs.maxDelaySeconds * 1_000 + 60_000, (everyHours * 3_600_000) / 10);
}

/** A text that changes whenever the file may have changed. */
async function fileState(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}
