import type { App, CrawlEnd, SourceReport, Visit, WhichSources } from '../../app/app.ts';
import { counted } from '../../report/text-blocks.ts';
import type { OptOutReport } from '../../service/opt-out-file.ts';
import { isGuardError } from '../../service/publishing.ts';
import type { Terminal } from '../command.ts';
import { createProgress, type Progress } from './crawl-progress.ts';
import { type CrawlTally, createTally } from './crawl-tally.ts';

/** Everything that one pass did; what `crawl --json` prints. */
export interface CrawlReport extends CrawlTally {
  end: CrawlEnd;
  durationMs: number;
  sources: SourceReport[];
  /** Domains known, still due, and leased by other processes, after the pass. */
  domains: { known: number; due: number; leased: number; listed: number };
  /** Null when the pass ended early: the files stay as they were. */
  export: Awaited<ReturnType<App['export']>> | null;
}

export interface CrawlRequest {
  /** Domains to visit now; undefined: read the sources, then visit what is due. */
  only?: Parameters<App['crawl']>[0]['only'];
  stderr: Terminal['stderr'];
  signal: AbortSignal;
  /** Which sources are read before; those that are due unless given, and none when domains are named. */
  sources?: WhichSources | 'none';
  /** Called with each completed visit. */
  onVisit?: (visit: Visit) => void;
}

/** What a pass did, and the fault of ours that ended it early, if one did: both are worth telling. */
export interface CrawlOutcome {
  report: CrawlReport;
  fault: Error | null;
}

/**
 * One pass from sources to exported files.
 *
 * @throws what makes the pass pointless from the start: an unusable export folder, an unreadable file of domains or of opt-outs.
 */
export async function crawlOnce(
  app: App,
  { only, sources: which = 'due', stderr, signal, onVisit }: CrawlRequest,
): Promise<CrawlOutcome> {
  const clock = () => performance.now();
  const startedAt = clock();
  const tally = createTally();
  let fault: Error | null = null;
  await app.checkBeforeCrawl();
  /** Ends the reading of sources when the pass ends early. */
  const over = new AbortController();
  let progress: Progress | null = null;
  const reading = await unlessAborted(signal, async () => {
    await optOut(app, signal, stderr);
    if (only !== undefined || which === 'none') return null;
    const sources = app.sources.open(which, AbortSignal.any([signal, over.signal]), (count) => progress?.expect(count));
    // What is known, and what files name, is visited while slow lists are still being read.
    await sources.local.catch(() => sources.ended);
    return sources;
  });

  progress = createProgress(only?.length ?? countDomains(app).due, stderr, clock);
  const onCompleted = (visit: Visit) => {
    tally.add(visit);
    onVisit?.(visit);
    progress?.tick();
  };
  let sources: SourceReport[] = [];
  let end: CrawlEnd = 'stopped';
  let exported: CrawlReport['export'] = null;
  try {
    if (!signal.aborted) end = await app.crawl({ only, signal, onCompleted, arrivals: reading?.arrivals });
    if (end !== 'done') over.abort();
    sources = (await reading?.ended) ?? [];
    if (end === 'done') exported = await unlessAborted(signal, () => app.export(signal, { months: 'unfinished' }));
    if (exported === null && end === 'done') end = 'stopped';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    fault = error;
    end = 'stopped';
  } finally {
    progress.end();
    over.abort();
    sources = (await reading?.ended.catch(() => sources)) ?? sources;
  }
  const { domains, due, leased, listed } = countDomains(app);
  const report = {
    end,
    durationMs: Math.round(clock() - startedAt),
    sources,
    domains: { known: domains, due, leased, listed },
    ...tally.result(),
    export: exported,
  };
  return { report, fault };
}

/** Opts out who asked for it; what was purged is gone from the exported files before anything is visited. */
async function optOut(app: App, signal: AbortSignal, stderr: Terminal['stderr']): Promise<void> {
  const report = await app.applyOptOuts(signal);
  if (report !== null && report.malformed.length > 0) stderr.write(malformedText(report.malformed));
  for (const { line, reason } of report?.refused ?? [])
    stderr.write(`line ${line} of the opt-out file names no domain (${reason}): it opts nothing out\n`);
  if (report !== null && report.forgotten > 0) await app.export(signal, { force: true });
  // What else the guard finds is told where the pass ends.
  else if (app.store.unpublishedPurge() !== null) await app.export(signal).catch(unlessKeptBack);
}

/** Line numbers that a warning names. */
const LINES_SHOWN = 10;

/** Prints line numbers and counts, but no opted-out domain. */
function malformedText(malformed: OptOutReport['malformed']): string {
  const taken = malformed.reduce((sum, line) => sum + line.taken, 0);
  const rest = malformed.length - LINES_SHOWN;
  const lines = malformed.slice(0, LINES_SHOWN).map(({ line }) => line);
  const which = `${lines.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return `${counted(malformed.length, 'line')} of the opt-out file (${which}) should hold exactly one domain each; all ${counted(taken, 'domain')} found there were opted out\n`;
}

function unlessKeptBack(error: unknown): void {
  if (!isGuardError(error)) throw error;
}

/** What the work gives, or null when it ended because it was asked to. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  }
}

function countDomains(app: App) {
  const reader = app.store.reader();
  try {
    return reader.counts(Date.now());
  } finally {
    reader[Symbol.dispose]();
  }
}
