import type { App, CrawlEnd, SourceReport, Visit } from '../app.ts';
import type { Terminal } from './command.ts';
import { createProgress } from './crawl-progress.ts';
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
  /** Called with each completed visit. */
  onVisit?: (visit: Visit) => void;
}

/** One pass from sources to exported files. */
export async function crawlOnce(app: App, { only, stderr, signal, onVisit }: CrawlRequest): Promise<CrawlReport> {
  const clock = () => performance.now();
  const startedAt = clock();
  await app.checkExportFolder();
  const sources = only === undefined ? await app.importSources(signal) : [];
  const tally = createTally();
  const progress = createProgress(only?.length ?? countDomains(app).due, stderr, clock);
  let end: CrawlEnd;
  try {
    end = await app.crawl({
      only,
      signal,
      onCompleted: (visit) => {
        tally.add(visit);
        onVisit?.(visit);
        progress.tick();
      },
    });
  } finally {
    progress.end();
  }
  const exported = end === 'done' ? await app.export(signal) : null;
  const { domains: known, due, leased, listed } = countDomains(app);
  return {
    end,
    durationMs: Math.round(clock() - startedAt),
    sources,
    domains: { known, due, leased, listed },
    ...tally.result(),
    export: exported,
  };
}

function countDomains(app: App) {
  const reader = app.store.reader();
  try {
    return reader.counts(Date.now());
  } finally {
    reader[Symbol.dispose]();
  }
}
