import { createHash } from 'node:crypto';
import type { SourceHttp } from '../../http/source-http.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import type { EpochMs } from '../../model/time.ts';
import type { Settings } from '../../settings/schema.ts';
import type { SelectHtml } from '../../sources/html/html-selector.ts';
import { importSource, type SourceRunResult } from '../../sources/import-source.ts';
import type { Source, SourceEnd, SourceError } from '../../sources/source.ts';
import type { EntryCounts } from '../../store/domains/enter-from.ts';
import type { KnownSource } from '../../store/sources/known-sources.ts';
import type { Store } from '../../store/store.ts';
import { type ConfiguredSource, MAX_RETRY_AFTER_MS } from './source-list.ts';

/** Maximum refused lines listed in a report; all are counted. */
const MAX_REFUSALS_LISTED = 10_000;
/** A list that shrank below this share of its last complete run is reported. */
const SHRUNK_TO = 0.5;

/** The result of one run. */
export interface SourceReport extends Omit<SourceRunResult, 'retryAfterMs'>, EntryCounts {
  readonly key: string;
  readonly type: string;
  readonly label: string;
  /** The number of domains in the last complete run if it had more than twice as many, otherwise null. The missing domains stay known. */
  readonly shrunkFrom: number | null;
}

export const OFFLINE_WHY = 'skipped because the crawler is offline';

const NO_ENTRIES: EntryCounts = { entered: 0, known: 0, queueFull: 0, cappedByDomain: 0, optedOut: 0 };

/** The report of a source that was skipped because the crawler is offline. */
export function skippedReport({ key, type, label }: Pick<Source, 'key' | 'type' | 'label'>): SourceReport {
  return {
    ...{ key, type, label, outcome: 'failed', why: OFFLINE_WHY, etag: null, lastModified: null },
    ...{ requests: 0, bytes: 0, lines: 0, blank: 0, accepted: 0, merged: 0, refused: 0, refusedByReason: {} },
    ...{ refusals: [], refusalsOmitted: 0, shrunkFrom: null, ...NO_ENTRIES },
  };
}

export interface RunSourceOptions {
  settings: Pick<Settings, 'domains' | 'softwareId'>;
  store: Store;
  http: SourceHttp;
  selectHtml: SelectHtml;
  now: () => EpochMs;
  signal: AbortSignal;
  /** Reads the whole list, even if it has not changed: the request is not conditional. */
  isFullRead?: boolean;
  /** Called after domains were stored, with the number of new ones. */
  onEntered?: (count: number) => void;
}

/** A report, and the error that ended the run, if any. */
export interface SourceRunOutcome {
  report: SourceReport;
  error: SourceError | null;
}

/**
 * Reads one source, stores its domains and records the run, even if it failed. Returns null for a source on an opted-out host: it is not
 * read, and nothing is recorded.
 *
 * @throws {StoreError}
 */
export async function readSource(
  { entry, source }: ConfiguredSource,
  options: RunSourceOptions,
): Promise<SourceRunOutcome | null> {
  const { settings, store, http, selectHtml, now, signal, isFullRead = false, onEntered } = options;
  const { key, type, label } = source;
  if (isOptedOut(source.host, options)) return null;
  const state = stateOf(store, key);
  const fingerprint = settingsFingerprint(entry, settings.domains);
  const previous = state === null || isFullRead ? null : withoutFingerprint(fingerprint, state);
  const limits = {
    most: entry.most,
    mostPerRegistrable: settings.domains.mostPerRegistrable,
    mostPortsPerHost: settings.domains.mostPortsPerHost,
    // Reported software is stored in lower case.
    softwareId: settings.softwareId.toLowerCase(),
  };
  const counts = { ...NO_ENTRIES };
  const run = store.sources.beginRun({ key, type, label }, now());
  if (run === null) return null;
  const { result, error } = await importSource(source, {
    maxReportedRefusals: MAX_REFUSALS_LISTED,
    context: { http, selectHtml, previous, signal, now },
    enter(candidates) {
      const added = store.sources.enterFrom(run, candidates, now(), limits);
      for (const name of Object.keys(counts) as (keyof EntryCounts)[]) counts[name] += added[name];
      onEntered?.(added.entered);
    },
  });
  const waitMs = Math.min(error?.retryAfterMs ?? result.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  const notBefore = waitMs > 0 ? now() + waitMs : null;
  const end = { ...result, ...withFingerprint(fingerprint, result), notBefore };
  store.sources.endRun(run, end, now());
  const shrunkFrom = result.outcome === 'complete' ? previousCountIfShrunk(state, result.accepted) : null;
  // The source's own host may have opted out during the run.
  if (isOptedOut(source.host, options)) return null;
  return { report: { key, type, label, ...result, ...counts, shrunkFrom }, error };
}

export function isOptedOut(
  host: string | null,
  { settings, store }: Pick<RunSourceOptions, 'settings' | 'store'>,
): boolean {
  const parsed = host === null ? null : parseDomain(host, settings.domains);
  return parsed?.ok === true && store.optOuts.has(parsed.domain);
}

function stateOf(store: Store, key: string): KnownSource | null {
  using reader = store.reader();
  return reader.sources.all().find((state) => state.key === key) ?? null;
}

/** The previous count, if the list now has far fewer domains. */
function previousCountIfShrunk(state: KnownSource | null, accepted: number): number | null {
  if (state === null || state.lastComplete === null) return null;
  const { entered, known, queueFull, cappedByDomain, optedOut } = state.lastComplete;
  const before = entered + known + queueFull + cappedByDomain + optedOut;
  return accepted < before * SHRUNK_TO ? before : null;
}

type Conditions = Pick<SourceEnd, 'etag' | 'lastModified'>;

const FINGERPRINT_LENGTH = 12;

/**
 * A short hash of the settings that affect the result of a run, such as allowed suffixes and limits. When one of them changes, even an
 * unchanged list yields different domains, so it must be read in full.
 */
function settingsFingerprint(entry: Settings['sources'][number], domains: Settings['domains']): string {
  const { id: _id, note: _note, enabled: _enabled, everyHours: _everyHours, ...relevant } = entry;
  return createHash('sha256')
    .update(JSON.stringify([relevant, domains]))
    .digest('base64url')
    .slice(0, FINGERPRINT_LENGTH);
}

/** The stored form of the conditions for the next run: the fingerprint precedes the ETag. */
function withFingerprint(fingerprint: string, { etag, lastModified }: Conditions): Conditions {
  return { etag: etag === null && lastModified === null ? null : `${fingerprint} ${etag ?? ''}`, lastModified };
}

/** The conditions as the source sent them; null when there are none, or the fingerprint has changed. */
function withoutFingerprint(fingerprint: string, { etag, lastModified }: Conditions): Conditions | null {
  if (etag === null || !etag.startsWith(`${fingerprint} `)) return null;
  const sent = etag.slice(fingerprint.length + 1);
  return { etag: sent === '' ? null : sent, lastModified };
}
