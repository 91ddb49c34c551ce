import { createHash } from 'node:crypto';
import type { SourceHttp } from '../../http/source-http.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import { anonymiseSource, redactNames } from '../../model/opt-outs/redact-names.ts';
import type { Settings } from '../../settings/schema.ts';
import type { SelectHtml } from '../../sources/html/html-selection.ts';
import { importSource, type SourceRunResult } from '../../sources/import-source.ts';
import type { Source, SourceEnd } from '../../sources/source.ts';
import type { SourceError } from '../../sources/source-error.ts';
import type { EntryCounts } from '../../store/frontier/candidate.ts';
import { RunOverError } from '../../store/sources/source-runs.ts';
import type { SourceState } from '../../store/sources/source-state.ts';
import { retryWhileLocked } from '../../store/sqlite/retry-while-locked.ts';
import type { Store } from '../../store/store.ts';
import { type ConfiguredSource, LONGEST_WAIT_MS } from './source-list.ts';

/** Refused lines that a report lists; all are counted. */
const REFUSALS_LISTED = 10_000;
/** A file is read in less, by far. */
const FILE_MS = 3_600_000;
/** For the last candidates, and another process that has the database locked meanwhile. */
const CLAIM_SLACK_MS = 10 * 60_000;
/** A list that has lost so much of what it had is worth a look. */
const SHRUNK_TO = 0.5;

/** What one reading of a source came to; `under-way`: it was not read, since another process reads it. */
export interface SourceReport extends Omit<SourceRunResult, 'outcome' | 'retryAfterMs'>, EntryCounts {
  readonly key: string;
  readonly type: string;
  readonly label: string;
  readonly outcome: SourceRunResult['outcome'] | 'under-way';
  /** How many domains it listed when it was last read in full, if that is over twice as many; else null. What it brought then stays. */
  readonly shrunkFrom: number | null;
}

/** Why a source was not asked, or not to its end. */
export const WHY_NOT_READ = {
  offline: 'we are offline, so it was not asked',
  'under-way': 'another process is reading it, so it was not asked',
  'taken-over': 'it went on for too long, and another process took it over',
} as const;

/** What is told of a source that was not read; no reading of it is recorded. */
export function notRead(
  { key, type, label }: Pick<Source, 'key' | 'type' | 'label'>,
  because: keyof typeof WHY_NOT_READ,
): SourceReport {
  const outcome = because === 'offline' ? 'failed' : 'under-way';
  return {
    ...{ key, type, label, outcome, why: WHY_NOT_READ[because], etag: null, lastModified: null },
    ...{ requests: 0, bytes: 0, lines: 0, blank: 0, accepted: 0, merged: 0, refused: 0, refusedByReason: {} },
    ...{
      refusals: [],
      refusalsOmitted: 0,
      entered: 0,
      known: 0,
      queueFull: 0,
      cappedByDomain: 0,
      optedOut: 0,
      shrunkFrom: null,
    },
  };
}

export interface ReadOneParts {
  settings: Pick<Settings, 'domains' | 'softwareId'>;
  store: Store;
  http: SourceHttp;
  selectHtml: SelectHtml;
  now: () => number;
  signal: AbortSignal;
  /** Sends no condition, so that all of it is read again. */
  isFresh?: boolean;
  /** Called when domains have come in, with how many of them are new. */
  onEntered?: (count: number) => void;
}

/** A reading that was recorded, or left to another process; the error when nothing of the source could be read. */
export interface ReadSource {
  report: SourceReport;
  error: SourceError | null;
}

/**
 * Reads one source, enters its domains and records the reading, also one that breaks. A source on a host that has opted out is not asked,
 * and nothing of it is recorded: null.
 *
 * @throws {StoreError} what the store throws.
 */
export async function readSource({ entry, source }: ConfiguredSource, parts: ReadOneParts): Promise<ReadSource | null> {
  const { settings, store, http, selectHtml, now, signal, isFresh = false, onEntered } = parts;
  const patience = { signal };
  const { key, type, label } = source;
  if (isOptedOut(source.host, parts)) return null;
  const state = stateOf(store, key);
  const mark = readingMark(entry, settings.domains);
  const previous = state === null || isFresh ? null : withoutMark(mark, state);
  const limits = {
    most: entry.most,
    mostPerRegistrable: settings.domains.mostPerRegistrable,
    mostPortsPerHost: settings.domains.mostPortsPerHost,
    softwareId: settings.softwareId,
  };
  const counts = { entered: 0, known: 0, queueFull: 0, cappedByDomain: 0, optedOut: 0 };
  const run = await retryWhileLocked(
    () => store.beginRun({ key, type, label }, now(), now() + claimMs(entry)),
    patience,
  );
  if (run === null) return { report: notRead(source, 'under-way'), error: null };
  try {
    const { result: read, error } = await importSource(source, {
      maxListed: REFUSALS_LISTED,
      context: { http, selectHtml, previous, signal, now },
      async enter(candidates) {
        // What was read before the service was told to stop is entered still.
        const entered = await retryWhileLocked(() => store.enterFrom(run, candidates, now(), limits));
        for (const name of Object.keys(counts) as (keyof EntryCounts)[]) counts[name] += entered[name];
        onEntered?.(entered.entered);
      },
    });
    // A refused line names others as well, and may be about a port of a host that has opted out.
    const reading = redactNames(read, store.optedOut);
    const waitMs = Math.min(error?.retryAfterMs ?? reading.retryAfterMs ?? 0, LONGEST_WAIT_MS);
    const notBefore = waitMs > 0 ? now() + waitMs : null;
    const end = { ...reading, ...withMark(mark, reading), notBefore };
    await retryWhileLocked(() => store.endRun(run, end, now()));
    const shrunkFrom = reading.outcome === 'complete' ? shrunk(state, reading.accepted) : null;
    // The source's own host may have opted out meanwhile.
    const named = anonymiseSource({ key, type, label }, store.optedOut);
    return { report: { ...named, ...reading, ...counts, shrunkFrom }, error };
  } catch (error) {
    if (error instanceof RunOverError) return { report: notRead(source, 'taken-over'), error: null };
    throw error;
  }
}

/** How long a reading may last, and what it waits for at its end. */
function claimMs(entry: ConfiguredSource['entry']): number {
  return ('maxMinutes' in entry ? entry.maxMinutes * 60_000 : FILE_MS) + CLAIM_SLACK_MS;
}

/** Whether who runs this host has opted out, so that it is neither asked nor named. */
export function isOptedOut(
  host: string | null,
  { settings, store }: Pick<ReadOneParts, 'settings' | 'store'>,
): boolean {
  const parsed = host === null ? null : parseDomain(host, settings.domains);
  return parsed?.ok === true && store.optedOut.has(parsed.domain);
}

function stateOf(store: Store, key: string): SourceState | null {
  using reader = store.reader();
  return reader.sourceStates().find((state) => state.key === key) ?? null;
}

/** How many it listed before, when it lists far fewer now. */
function shrunk(state: SourceState | null, accepted: number): number | null {
  if (state === null || state.lastComplete === null) return null;
  const { entered, known, queueFull, cappedByDomain, optedOut } = state.lastComplete;
  const before = entered + known + queueFull + cappedByDomain + optedOut;
  return accepted < before * SHRUNK_TO ? before : null;
}

type Conditions = Pick<SourceEnd, 'etag' | 'lastModified'>;

const MARK_LENGTH = 12;

/**
 * What a reading went by, as a short mark: with other suffixes allowed, other limits, or another place to look in the answer, a list
 * that has not changed gives other domains, and is to be read again.
 */
function readingMark(entry: Settings['sources'][number], domains: Settings['domains']): string {
  const { id: _id, note: _note, enabled: _enabled, everyHours: _everyHours, ...readBy } = entry;
  return createHash('sha256')
    .update(JSON.stringify([readBy, domains]))
    .digest('base64url')
    .slice(0, MARK_LENGTH);
}

/** The conditions of the next reading as they are kept, with the mark before the tag. */
function withMark(mark: string, { etag, lastModified }: Conditions): Conditions {
  return { etag: etag === null && lastModified === null ? null : `${mark} ${etag ?? ''}`, lastModified };
}

/** The conditions as the source told them; null when there are none, or the list was read in another way. */
function withoutMark(mark: string, { etag, lastModified }: Conditions): Conditions | null {
  if (etag === null || !etag.startsWith(`${mark} `)) return null;
  const told = etag.slice(mark.length + 1);
  return { etag: told === '' ? null : told, lastModified };
}
