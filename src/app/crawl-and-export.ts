import type { CrawlEnd } from '../crawl/crawl-pass.ts';
import type { ExportReport } from '../export/export-all.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { Visit } from '../model/visit.ts';
import type { Crawler } from '../service/crawler.ts';
import { isGuardError } from '../service/publishing.ts';
import type { SourceReport } from '../service/sources/run-source.ts';
import type { WhichSources } from '../service/sources/sources.ts';
import { unlessAborted } from '../shutdown.ts';

/** The result of one pass, as `crawl --json` prints it. */
export interface CrawlReport extends CrawlCounts {
  end: CrawlEnd;
  durationMs: number;
  sources: SourceReport[];
  /** Counts after the pass. */
  domains: { known: number; due: number; listed: number };
  /** Null when the pass ended early and the files are unchanged. */
  export: ExportReport | null;
}

export interface CrawlRequest {
  /** Domains to visit now; undefined: read the sources, then visit the due domains. */
  only?: readonly Domain[] | undefined;
  signal: AbortSignal;
  /** Which sources to read. Default: `due`; ignored when `only` is given. */
  sources?: WhichSources | 'none';
  /** Receives the completed visits. Undefined: they are only counted. */
  visits?: Pick<Visit[], 'push'> | undefined;
  /** Called with a line for each fault that does not stop the crawl. */
  onWarning?: (line: string) => void;
  progress?: CrawlProgress | null;
}

/** The report of a pass, and the error that ended it early, if any. */
export interface CrawlResult {
  report: CrawlReport;
  fault: Error | null;
}

/** Shows the progress of a pass. */
export interface CrawlProgress {
  /** Visits are about to begin. @param expected their number; sources and redirects may add more. */
  begin(expected: number): void;
  /** Adds expected visits. */
  expect(count: number): void;
  /** One visit was completed. */
  tick(): void;
  end(): void;
}

/**
 * One pass from sources to exported files.
 *
 * @throws errors before the first visit: an unusable export folder, an unreadable source file or opt-out file.
 */
export async function crawlAndExport(
  crawler: Crawler,
  { only, sources: which = 'due', signal, visits, onWarning, progress = null }: CrawlRequest,
): Promise<CrawlResult> {
  const startedAt = performance.now();
  const tally = new CrawlTally();
  let fault: Error | null = null;
  await crawler.checkBeforeCrawl();
  /** Stops the sources when the pass ends early. */
  const sourcesAbort = new AbortController();
  const sourcesRun = await unlessAborted(signal, async () => {
    await applyOptOuts(crawler, signal, onWarning);
    if (only !== undefined || which === 'none') return null;
    const opened = crawler.sources.open(which, AbortSignal.any([signal, sourcesAbort.signal]), (count) => {
      progress?.expect(count);
      crawler.wake();
    });
    // The crawl starts once the local sources are read; remote sources continue in parallel.
    await opened.local.catch(() => opened.ended);
    return opened;
  });

  progress?.begin(only?.length ?? countsOf(crawler).due);
  const onCompleted = (visit: Visit) => {
    tally.add(visit);
    const { domain, verdict, reason, version, durationMs: ms } = visit;
    crawler.logger.debug({ domain, verdict, reason, version, ms }, 'visit');
    visits?.push(visit);
    progress?.tick();
  };
  let sources: SourceReport[] = [];
  let end: CrawlEnd = 'stopped';
  let exported: CrawlReport['export'] = null;
  try {
    if (!signal.aborted) end = await crawler.crawl({ only, signal, onCompleted, until: sourcesRun?.ended });
    if (end !== 'done') sourcesAbort.abort();
    sources = (await sourcesRun?.ended) ?? [];
    if (end === 'done')
      exported = await unlessAborted(signal, () => crawler.publishing.export(signal, { months: 'rewrite-unfinished' }));
    if (exported === null && end === 'done') end = 'stopped';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    fault = error;
    end = 'stopped';
  } finally {
    progress?.end();
    sourcesAbort.abort();
    sources = (await sourcesRun?.ended.catch(() => sources)) ?? sources;
  }
  const { domains: known, due, listed } = countsOf(crawler);
  const durationMs = Math.round(performance.now() - startedAt);
  const report = { end, durationMs, sources, domains: { known, due, listed }, ...tally.result(), export: exported };
  return { report, fault };
}

/** Applies the opt-out file, and exports without the purged data before any visit. */
async function applyOptOuts(
  { optOutFile, publishing, store }: Crawler,
  signal: AbortSignal,
  onWarning: CrawlRequest['onWarning'],
): Promise<void> {
  const report = await optOutFile.apply(signal);
  for (const { line, reason } of report?.refused ?? [])
    onWarning?.(
      `line ${line} of the opt-out file does not clearly name a host (${reason}), so it opts nobody out; write one name or URL per line`,
    );
  if (report !== null && report.forgotten > 0) await publishing.export(signal, { force: true });
  // If the guard refuses, the export at the end of the pass reports it.
  else if (store.optOuts.unpublishedPurge() !== null)
    await publishing.export(signal).catch((error: unknown) => {
      if (!isGuardError(error)) throw error;
    });
}

function countsOf({ store }: Crawler) {
  using reader = store.reader();
  return reader.domains.counts(Date.now());
}

/** Counts by name, largest first. */
export type Tally = { name: string; count: number }[];

/** Counts of the completed visits of a pass. */
export interface CrawlCounts {
  visited: number;
  byVerdict: Tally;
  byReason: Tally;
  software: Tally;
  /** Versions of the Loops servers visited. */
  versions: Tally;
}

/** Counts the completed visits of a pass. */
export class CrawlTally {
  #visited = 0;
  readonly #byVerdict = new Map<string, number>();
  readonly #byReason = new Map<string, number>();
  readonly #software = new Map<string, number>();
  readonly #versions = new Map<string, number>();

  add({ verdict, reason, software, version }: Visit): void {
    this.#visited++;
    increment(this.#byVerdict, verdict);
    increment(this.#byReason, `${verdict}: ${reason}`);
    if (software !== null) increment(this.#software, software);
    if (verdict === 'loops') increment(this.#versions, version ?? 'unknown');
  }

  result(): CrawlCounts {
    return {
      visited: this.#visited,
      byVerdict: sorted(this.#byVerdict),
      byReason: sorted(this.#byReason),
      software: sorted(this.#software),
      versions: sorted(this.#versions),
    };
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Tally {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
