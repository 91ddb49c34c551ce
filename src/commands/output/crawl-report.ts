import type { App, CrawlEnd, SourceReport, Visit, WhichSources } from '../../app/app.ts';
import { isGuardError } from '../../service/publishing.ts';
import type { GlobalOptions, Terminal } from '../command.ts';
import { createProgress, type Progress } from './crawl-progress.ts';
import { type CrawlTally, createTally } from './crawl-tally.ts';

/** The result of one pass, as `crawl --json` prints it. */
export interface CrawlReport extends CrawlTally {
  end: CrawlEnd;
  durationMs: number;
  sources: SourceReport[];
  /** Counts after the pass. */
  domains: { known: number; due: number; listed: number };
  /** Null when the pass ended early and the files are unchanged. */
  export: Awaited<ReturnType<App['export']>> | null;
}

export interface CrawlRequest {
  /** Domains to visit now; undefined: read the sources, then visit the due domains. */
  only?: Parameters<App['crawl']>[0]['only'];
  stderr: Terminal['stderr'];
  /** `--quiet` and `--verbose` hide the progress; the latter logs each visit instead. */
  options?: Pick<GlobalOptions, 'quiet' | 'verbose'>;
  signal: AbortSignal;
  /** Which sources to read. Default: `due`; ignored when `only` is given. */
  sources?: WhichSources | 'none';
  /** Receives the completed visits. Undefined: they are only counted. */
  visits?: Pick<Visit[], 'push'> | undefined;
}

/** The report of a pass, and the error that ended it early, if any. */
export interface CrawlResult {
  report: CrawlReport;
  fault: Error | null;
}

/**
 * One pass from sources to exported files.
 *
 * @throws errors before the first visit: an unusable export folder, an unreadable source file or opt-out file.
 */
export async function crawlAndExport(
  app: App,
  { only, sources: which = 'due', stderr, options = {}, signal, visits }: CrawlRequest,
): Promise<CrawlResult> {
  const clock = () => performance.now();
  const startedAt = clock();
  const tally = createTally();
  let fault: Error | null = null;
  await app.checkBeforeCrawl();
  /** Stops the sources when the pass ends early. */
  const sourcesAbort = new AbortController();
  let progress: Progress | null = null;
  const sourcesRun = await unlessAborted(signal, async () => {
    await applyOptOuts(app, signal, stderr);
    if (only !== undefined || which === 'none') return null;
    const opened = app.sources.open(which, AbortSignal.any([signal, sourcesAbort.signal]), (count) => {
      progress?.expect(count);
      app.wake();
    });
    // The crawl starts once the local sources are read; remote sources continue in parallel.
    await opened.local.catch(() => opened.ended);
    return opened;
  });

  const showsProgress = options.quiet !== true && options.verbose !== true;
  if (showsProgress) progress = createProgress(only?.length ?? countDomains(app).due, stderr, clock);
  const onCompleted = (visit: Visit) => {
    tally.add(visit);
    const { domain, verdict, reason, version, durationMs: ms } = visit;
    app.logger.debug({ domain, verdict, reason, version, ms }, 'visit');
    visits?.push(visit);
    progress?.tick();
  };
  let sources: SourceReport[] = [];
  let end: CrawlEnd = 'stopped';
  let exported: CrawlReport['export'] = null;
  try {
    if (!signal.aborted) end = await app.crawl({ only, signal, onCompleted, until: sourcesRun?.ended });
    if (end !== 'done') sourcesAbort.abort();
    sources = (await sourcesRun?.ended) ?? [];
    if (end === 'done')
      exported = await unlessAborted(signal, () => app.export(signal, { months: 'rewrite-unfinished' }));
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
  const { domains, due, listed } = countDomains(app);
  const report = {
    end,
    durationMs: Math.round(clock() - startedAt),
    sources,
    domains: { known: domains, due, listed },
    ...tally.result(),
    export: exported,
  };
  return { report, fault };
}

/** Applies the opt-out file, and exports without the purged data before any visit. */
async function applyOptOuts(app: App, signal: AbortSignal, stderr: Terminal['stderr']): Promise<void> {
  const report = await app.applyOptOuts(signal);
  for (const { line, reason } of report?.refused ?? [])
    stderr.write(
      `warning: line ${line} of the opt-out file does not clearly name a host (${reason}), so it opts nobody out; write one name or URL per line\n`,
    );
  if (report !== null && report.forgotten > 0) await app.export(signal, { force: true });
  // If the guard refuses, the export at the end of the pass reports it.
  else if (app.store.unpublishedPurge() !== null) await app.export(signal).catch(ignoreGuardError);
}

function ignoreGuardError(error: unknown): void {
  if (!isGuardError(error)) throw error;
}

/** The result of the work; null when it was aborted by the signal. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  }
}

function countDomains(app: App) {
  using reader = app.store.reader();
  return reader.counts(Date.now());
}
