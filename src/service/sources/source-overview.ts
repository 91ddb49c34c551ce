import type { Settings } from '../../settings/schema.ts';
import { openReader } from '../../store/open-reader.ts';
import type { SourceRun, SourceYield } from '../../store/sources/source-state.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { openCrawled, sourceDueAt, sourceList } from './source-list.ts';

/** One reading of a source, as it is told. Times are ISO 8601 in UTC. */
export interface ToldRun extends Omit<SourceRun, 'begunAt' | 'endedAt'> {
  begunAt: string;
  /** Null while it is under way. */
  endedAt: string | null;
}

/** A source, what came of it, and when it is read next. Times are ISO 8601 in UTC. */
export interface ToldSource {
  key: string;
  type: string;
  label: string;
  /** `off`: in the settings and switched off; `removed`: no longer in the settings. */
  status: 'on' | 'off' | 'removed';
  note: string | null;
  everyHours: number | null;
  firstRead: string | null;
  lastRun: ToldRun | null;
  /** When it was last read to its end, or said that nothing changed. */
  lastSuccess: string | null;
  /** Null when it is not read, and for files: they are read when they change. */
  nextRead: string | null;
  /** Known domains that it has ever listed; null when it was never read, as are those below. */
  domains: number | null;
  /** Of these, visited at least once. */
  visited: number | null;
  /** Of these, found to be Loops. */
  loops: number | null;
  /** Of the Loops servers, those that no other source lists. */
  onlyHere: number | null;
  /** Domains that wait for their first visit in its turn. */
  waiting: number | null;
  /** When it was last to be read and was not asked, and why; null when it has been read since. */
  lastNotAsked: { at: string; why: string } | null;
}

/**
 * Every source of the settings and of the past, from the database alone: those that brought the most Loops servers first.
 *
 * @throws {StoreError} when there is no database yet, or it cannot be read.
 */
export function tellSources(settings: Settings, now: number): ToldSource[] {
  using reader = openReader(settings.database, { snapshot: true });
  const yields = new Map(reader.sourceYields().map((one) => [one.key, one]));
  const unasked = new Map(reader.skippedSources().map((one) => [one.key, one]));
  const all = settings.sources.map((entry) => ({ ...entry, enabled: true }));
  const parts = { open: () => openCrawled({ reader: () => reader }), optedOut: reader.optedOut, random: () => 0 };
  const on = new Set(sourceList(settings, parts).map(({ source }) => source.key));
  const told = sourceList({ ...settings, sources: all }, parts).map(({ entry, source }): ToldSource => {
    const { key, type, label } = source;
    const isOn = on.has(key);
    const isFile = entry.type === 'file';
    const { note = null, everyHours } = entry;
    const notAsked = unasked.get(key);
    const dueBy = { runs: reader.sourceRuns(key), notBefore: yields.get(key)?.notBefore ?? null };
    return {
      ...{ key, type, label, status: isOn ? 'on' : 'off', note, everyHours: isFile ? null : everyHours },
      ...pastOf(yields.get(key)),
      nextRead: isOn && !isFile ? iso(sourceDueAt(dueBy, everyHours, now)) : null,
      lastNotAsked: notAsked === undefined ? null : { at: iso(notAsked.at), why: notAsked.why },
    };
  });
  const known = new Set(told.map(({ key }) => key));
  for (const past of yields.values()) {
    if (known.has(past.key)) continue;
    const { key, type, label } = past;
    const unset = { note: null, everyHours: null, nextRead: null, lastNotAsked: null };
    told.push({ key, type, label, status: 'removed', ...unset, ...pastOf(past) });
  }
  return told.sort(
    (one, other) => (other.loops ?? -1) - (one.loops ?? -1) || (other.domains ?? -1) - (one.domains ?? -1),
  );
}

/** The readings of a source, newest first, as many as are kept; null when it was never read. */
export function tellRuns(settings: Settings, source: string): { key: string; runs: ToldRun[] } | null {
  using reader = openReader(settings.database, { snapshot: true });
  const key = keyOf(reader, source);
  return key === null ? null : { key, runs: [...reader.sourceRuns(key)].map(toldRun) };
}

function keyOf(reader: StoreReader, text: string): string | null {
  const states = reader.sourceStates();
  return (states.find(({ key }) => key === text) ?? states.find(({ label }) => label === text))?.key ?? null;
}

function pastOf(past: SourceYield | undefined) {
  const { domains = null, visited = null, loops = null, onlyHere = null, waiting = null } = past ?? {};
  const lastRun = past?.lastRun ?? null;
  const lastSuccess = past?.lastSuccess ?? null;
  return {
    firstRead: past === undefined ? null : iso(past.firstAt),
    lastRun: lastRun === null ? null : toldRun(lastRun),
    lastSuccess: lastSuccess === null ? null : iso(lastSuccess.begunAt),
    ...{ domains, visited, loops, onlyHere, waiting },
  };
}

function toldRun(run: SourceRun): ToldRun {
  return { ...run, begunAt: iso(run.begunAt), endedAt: run.endedAt === null ? null : iso(run.endedAt) };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
