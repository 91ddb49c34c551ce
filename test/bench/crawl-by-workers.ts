import { readdirSync, readFileSync } from 'node:fs';
import { createApp } from '../../src/app/app.ts';
import { crawlAndExport } from '../../src/app/crawl-and-export.ts';
import { createNetwork } from '../../src/app/network.ts';
import { createLogger } from '../../src/logger.ts';
import type { Visit } from '../../src/model/visit.ts';
import { loadSettings, readEngineUrl } from '../../src/settings/settings.ts';

/** Measurements of a crawl until its export. CPU times include the start of each process. */
export interface WorkersCrawl {
  /** `DOMAIN VERDICT REASON SOFTWARE VERSION` of each visit. */
  visits: string[];
  wallMs: number;
  /** CPU time of the crawling process. */
  cpuMs: number;
  /** CPU time of each worker. */
  othersCpuMs: number[];
  postgresCpuMs: number;
  /** Time from the dispatch of a visit to its result. */
  latencyMs: { median: number; p95: number };
  /** The latency without the duration of the visit itself. */
  overheadMs: { median: number; p95: number };
  /** Messages about lost visits and an absent engine. */
  trouble: string[];
}

/** User and system time of a process and its ended children. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  // User and system time, then those of ended children, in ticks; Linux has 100 ticks per second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

function spreadOf(values: number[]) {
  const sorted = values.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

/** The arguments of this script, as JSON. */
export interface WorkersCrawlOptions {
  settingsFile: string;
  workerPids: number[];
  postgresPid: number;
}

/** Runs in a process of its own: the command `crawl`, with or without workers. Linux only. */
async function crawl({ settingsFile: file, workerPids, postgresPid }: WorkersCrawlOptions): Promise<WorkersCrawl> {
  const settings = loadSettings({ file, env: {} });
  const clock = () => performance.now();
  const [latencies, overheads, trouble]: [number[], number[], string[]] = [[], [], []];
  const network = createNetwork(settings, {
    ...{ now: Date.now, clock, engineUrl: readEngineUrl(settings) },
    log: { warn: (message) => trouble.push(message) },
  });
  const { connectivity, identifier: byWorkers } = network;
  const identifier: typeof byWorkers = {
    ...byWorkers,
    async identify(resolved, options) {
      const startedAt = clock();
      const visit = await byWorkers.identify(resolved, options);
      const ms = clock() - startedAt;
      latencies.push(ms);
      overheads.push(ms - visit.durationMs);
      return visit;
    },
  };
  const logger = createLogger({ level: 'error', stream: process.stderr });
  await using app = await createApp(settings, logger, { identifier, connectivity });
  const visits: Visit[] = [];
  const readPostgres = () => [postgresPid, ...childrenOf(postgresPid)].map(cpuMsOf).reduce((sum, ms) => sum + ms, 0);
  const postgresBefore = readPostgres();
  let measured: Pick<WorkersCrawl, 'cpuMs' | 'wallMs' | 'othersCpuMs' | 'postgresCpuMs'> | undefined;
  const exportNow = app.publishing.export.bind(app.publishing);
  app.publishing.export = async (...args) => {
    if (measured === undefined) {
      const { userCPUTime, systemCPUTime } = process.resourceUsage();
      const cpuMs = (userCPUTime + systemCPUTime) / 1_000;
      measured = {
        ...{ cpuMs, wallMs: clock() },
        othersCpuMs: workerPids.map(cpuMsOf),
        postgresCpuMs: readPostgres() - postgresBefore,
      };
    }
    return await exportNow(...args);
  };
  const { fault } = await crawlAndExport(app, {
    signal: new AbortController().signal,
    visits,
  });
  identifier.cancelAll();
  if (fault !== null) throw fault;
  if (measured === undefined) throw new Error('nothing was exported');
  const shown = visits.map(({ domain, verdict, reason, software, version }) =>
    [domain, verdict, reason, software, version].join(' '),
  );
  return { visits: shown, ...measured, latencyMs: spreadOf(latencies), overheadMs: spreadOf(overheads), trouble };
}

process.stdout.write(JSON.stringify(await crawl(JSON.parse(process.argv[2] ?? '{}'))));
