import { stat } from 'node:fs/promises';
import { HostLimits, type Slot } from '../../crawl/host-limits.ts';
import type { SourceHttp } from '../../http/source-http.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS } from '../../model/time.ts';
import type { Settings } from '../../settings/schema.ts';
import type { SelectHtml } from '../../sources/html/html-selector.ts';
import type { SourceError } from '../../sources/source.ts';
import type { KnownSource } from '../../store/sources/known-sources.ts';
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

interface SourcesParts {
  settings: () => Settings;
  store: Store;
  http: SourceHttp;
  selectHtml: SelectHtml;
  /** Whether the DNS servers respond; called before remote sources are read. */
  isOnline: () => Promise<boolean>;
  now: () => EpochMs;
  /** In [0, 1). */
  random: () => number;
}

/**
 * Reads the sources of the settings in force. A source that is being read is not read a second time. While the crawler is offline, remote
 * sources are skipped, and the skip is stored. When the signal aborts, a run ends early and keeps the domains read so far.
 */
export class Sources {
  readonly #parts: SourcesParts;
  readonly #slots = new HostLimits();
  /** Keys of the sources that are being read or wait for a slot. */
  readonly #active = new Set<string>();
  /** The state of each file when this process last read it. */
  readonly #fileStates = new Map<string, string>();

  constructor(parts: SourcesParts) {
    this.#parts = parts;
  }

  /** The keys of the enabled sources whose hosts have not opted out. */
  keys(): string[] {
    return this.#list().map(({ source }) => source.key);
  }

  /**
   * Reads the sources of one lane.
   *
   * @returns a report of each, in no particular order.
   * @throws {SourceError} when a file cannot be read; the other sources are read nevertheless.
   */
  async readLane(
    lane: SourceLane,
    which: WhichSources,
    signal: AbortSignal,
    options: ReadOptions = {},
  ): Promise<SourceReport[]> {
    if (signal.aborted) return [];
    const enabled = this.#list();
    this.#parts.store.sources.syncActive(enabled.map(({ source }) => source.key));
    const candidates = enabled.filter(
      (configured) =>
        (which !== 'files' || configured.entry.type === 'file') &&
        isRemote(configured) === (lane === 'remote') &&
        !this.#active.has(configured.source.key),
    );
    const due = which === 'due' ? await this.#dueAmong(candidates) : candidates;
    if (lane === 'remote' && due.length > 0 && !(await this.#parts.isOnline())) return this.#skipOffline(due);

    const reports: SourceReport[] = [];
    let unexpected: unknown = null;
    let fileError: SourceError | null = null;
    await Promise.all(
      due.map(async (configured) => {
        try {
          const result = await this.#readOne(configured, which, signal, options);
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
  }

  /** Starts reading both lanes in parallel. */
  open(which: WhichSources, signal: AbortSignal, onEntered?: ReadOptions['onEntered']): SourcesRun {
    const reports = new Map<string, SourceReport>();
    const keep = (report: SourceReport) => void reports.set(report.key, report);
    const lanes = (['local', 'remote'] as const).map(async (lane) => {
      for (const report of await this.readLane(lane, which, signal, { onEntered, onReport: keep })) keep(report);
    });
    const collect = async () => {
      const results = await Promise.allSettled(lanes);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      return this.#list().flatMap(({ source }) => reports.get(source.key) ?? []);
    };
    const [local = Promise.resolve()] = lanes;
    const ended = collect();
    // The caller may await only one of these promises, or none until its crawl ends.
    for (const promise of [...lanes, ended]) promise.catch(() => undefined);
    return { local, ended };
  }

  /** Reads both lanes. @throws as `ended` does; the signal's reason when the signal aborts. */
  async read(which: WhichSources, signal: AbortSignal): Promise<SourceReport[]> {
    const reports = await this.open(which, signal).ended;
    signal.throwIfAborted();
    return reports;
  }

  #list(): ConfiguredSource[] {
    const { settings, store, random } = this.#parts;
    return listConfiguredSources(settings(), { open: () => openCrawledDomains(store), random }).filter(
      ({ source }) => !isOptedOut(source.host, { settings: settings(), store }),
    );
  }

  async #dueAmong(candidates: readonly ConfiguredSource[]): Promise<ConfiguredSource[]> {
    const due: ConfiguredSource[] = [];
    using reader = this.#parts.store.reader();
    const states = new Map(reader.sources.all().map((state) => [state.key, state]));
    for (const candidate of candidates)
      if (await this.#isDue(candidate, reader, states.get(candidate.source.key))) due.push(candidate);
    return due;
  }

  async #isDue({ entry, source }: ConfiguredSource, reader: StoreReader, state: KnownSource | undefined) {
    if (entry.type === 'file') return this.#fileStates.get(source.key) !== (await fileState(entry.path));
    const past = { runs: reader.sources.runsOf(source.key), notBefore: state?.notBefore ?? null };
    const at = this.#parts.now();
    return at >= sourceDueAt(past, entry.everyHours, at, earlyMs(entry.everyHours, this.#parts.settings()));
  }

  /** Null when the source was not read: aborted, opted out, or already being read. */
  async #readOne(
    configured: ConfiguredSource,
    which: WhichSources,
    signal: AbortSignal,
    { onEntered }: ReadOptions,
  ): Promise<SourceRunOutcome | null> {
    const { entry, source } = configured;
    if (this.#active.has(source.key)) return null;
    this.#active.add(source.key);
    const needed = slotsOf(configured);
    await this.#slots.acquire(needed);
    try {
      if (signal.aborted) return null;
      if (entry.type === 'file') this.#fileStates.set(source.key, await fileState(entry.path));
      const { settings, store, http, selectHtml, now } = this.#parts;
      const parts = { settings: settings(), store, http, selectHtml, now, signal, isFullRead: which === 'fresh' };
      return await readSource(configured, { ...parts, onEntered });
    } catch (error) {
      this.#fileStates.delete(source.key);
      throw error;
    } finally {
      this.#slots.release(needed);
      this.#active.delete(source.key);
    }
  }

  #skipOffline(due: readonly ConfiguredSource[]): SourceReport[] {
    const { store, now } = this.#parts;
    store.sources.recordSkipped(due.map(({ source }) => ({ key: source.key, at: now(), why: OFFLINE_WHY })));
    return due.map(({ source }) => skippedReport(source));
  }
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
  return Math.min(jobs.maxDelaySeconds * 1_000 + MINUTE_MS, (everyHours * HOUR_MS) / 10);
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
