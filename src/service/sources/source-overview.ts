import { isoTime } from '../../model/time.ts';
import type { Settings } from '../../settings/schema.ts';
import type { KnownSource, SourceRun, SourceYield } from '../../store/sources/known-sources.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { openReader } from '../../store/store-reader.ts';
import { listConfiguredSources, openCrawledDomains, sourceDueAt } from './source-list.ts';

/** One run of a source. Times are ISO 8601 in UTC. */
export interface SourceRunSummary extends Omit<SourceRun, 'begunAt' | 'endedAt'> {
  begunAt: string;
  /** Null while the run is in progress. */
  endedAt: string | null;
}

/** A source with its results and its next run. Times are ISO 8601 in UTC. */
export interface SourceSummary {
  key: string;
  type: string;
  label: string;
  /** `off`: disabled in the settings; `removed`: no longer in the settings. */
  status: 'on' | 'off' | 'removed';
  note: string | null;
  everyHours: number | null;
  firstRead: string | null;
  lastRun: SourceRunSummary | null;
  /** When a run was last complete, or found the list unchanged. */
  lastSuccess: string | null;
  /** Null for disabled and removed sources, and for files, which are read when they change. */
  nextRead: string | null;
  /** Known domains that it has ever listed. This and the next four are null when it was never read. */
  domains: number | null;
  /** The part of `domains` that was visited at least once. */
  visited: number | null;
  /** The part of `domains` that is identified as Loops. */
  loops: number | null;
  /** The part of `loops` that no other source lists. */
  onlyHere: number | null;
  /** Domains in the queue of this source, waiting for their first visit. */
  waiting: number | null;
  /** When a run was last skipped, and why; null when a run followed. */
  lastNotAsked: { at: string; why: string } | null;
}

/**
 * Lists every present and former source, the one with the most Loops servers first. The database is only read.
 *
 * @throws {StoreError} when the database does not exist or cannot be read.
 */
export function listSources(settings: Settings, now: number): SourceSummary[] {
  using reader = openReader(settings.database, { snapshot: true });
  const yields = new Map(reader.sources.yields().map((entry) => [entry.key, entry]));
  const skipped = new Map(reader.sources.skipped().map((entry) => [entry.key, entry]));
  const allEnabled = settings.sources.map((entry) => ({ ...entry, enabled: true }));
  const parts = {
    open: () => openCrawledDomains({ reader: () => reader }),
    random: () => 0,
  };
  const enabledKeys = new Set(listConfiguredSources(settings, parts).map(({ source }) => source.key));
  const summaries = listConfiguredSources({ ...settings, sources: allEnabled }, parts).map(
    ({ entry, source }): SourceSummary => {
      const { key, type, label } = source;
      const isOn = enabledKeys.has(key);
      const isFile = entry.type === 'file';
      const { note = null, everyHours } = entry;
      const lastSkip = skipped.get(key);
      const pastRuns = { runs: reader.sources.runsOf(key), notBefore: yields.get(key)?.notBefore ?? null };
      return {
        ...{ key, type, label, status: isOn ? 'on' : 'off', note, everyHours: isFile ? null : everyHours },
        ...resultsOf(yields.get(key)),
        nextRead: isOn && !isFile ? isoTime(sourceDueAt(pastRuns, everyHours, now)) : null,
        lastNotAsked: lastSkip === undefined ? null : { at: isoTime(lastSkip.at), why: lastSkip.why },
      };
    },
  );
  const configured = new Set(summaries.map(({ key }) => key));
  for (const past of yields.values()) {
    if (configured.has(past.key)) continue;
    const { key, type, label } = past;
    const unset = { note: null, everyHours: null, nextRead: null, lastNotAsked: null };
    summaries.push({ key, type, label, status: 'removed', ...unset, ...resultsOf(past) });
  }
  return summaries.sort((a, b) => (b.loops ?? -1) - (a.loops ?? -1) || (b.domains ?? -1) - (a.domains ?? -1));
}

/** The stored runs of a source, newest first; null when it was never read. @param source its key or label. */
export function listSourceRuns(settings: Settings, source: string): { key: string; runs: SourceRunSummary[] } | null {
  using reader = openReader(settings.database, { snapshot: true });
  const key = keyOf(reader, source);
  return key === null ? null : { key, runs: [...reader.sources.runsOf(key)].map(toRunSummary) };
}

function keyOf(reader: StoreReader, text: string): string | null {
  const states = reader.sources.all();
  return (states.find(({ key }) => key === text) ?? states.find(({ label }) => label === text))?.key ?? null;
}

function resultsOf(past: (KnownSource & SourceYield) | undefined) {
  const { domains = null, visited = null, loops = null, onlyHere = null, waiting = null } = past ?? {};
  const lastRun = past?.lastRun ?? null;
  const lastSuccess = past?.lastSuccess ?? null;
  return {
    firstRead: past === undefined ? null : isoTime(past.firstAt),
    lastRun: lastRun === null ? null : toRunSummary(lastRun),
    lastSuccess: lastSuccess === null ? null : isoTime(lastSuccess.begunAt),
    ...{ domains, visited, loops, onlyHere, waiting },
  };
}

function toRunSummary(run: SourceRun): SourceRunSummary {
  return { ...run, begunAt: isoTime(run.begunAt), endedAt: isoTime(run.endedAt) };
}
