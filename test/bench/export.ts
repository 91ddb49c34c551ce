/**
 * `npm run bench -- export [INSTANCES] [DOMAINS] [VISITS EACH]`, by default 10,000, 1,000,000 and 60: cost of an export.
 * - alone: runs the command over a database of a tenth of this size, then over one of this size; each time first into an empty
 *   folder, then without changes. Memory is constant if both sizes use the same amount.
 * - during a crawl: visits per second of a crawl (simulated hosts that answer after 40 ms, at most 64 at a time), alternately
 *   with and without continuous exports of the large database in a background thread.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../src/app/app.ts';
import type { Identifier } from '../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import { createLogger } from '../../src/logger.ts';
import type { Crawler } from '../../src/service/crawler.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { loopsVisit, sampleDomains } from '../store/sample-visit.ts';
import { fillHistory, type HistorySize, otherVisit } from './fill-history.ts';
import type { Usage } from './measure.ts';
import { median } from './print-figures.ts';

const ANSWER_MS = 40;
const ROUNDS = 4;
const SECONDS = 15;
const root = fileURLToPath(new URL('../../', import.meta.url));
const [instances = 10_000, domains = 1_000_000, visitsEach = 60] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
const printLine = (line: string) => process.stdout.write(`${line}\n`);
const millions = (bytes: number) => (bytes / 1e6).toFixed(0);

async function bytesIn(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => stat(join(parentPath, name)));
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
}

/** Runs the command like a user, and returns the resource usage of its process. */
function exportOnce(name: string): Usage {
  const usageFile = join(folder, 'usage.json');
  const measure = ['--import', join(root, 'test/bench/measure.ts'), '--max-semi-space-size=8'];
  const command = [join(root, 'src/cli.ts'), 'export', '--json', '--config', join(folder, `${name}.json`)];
  execFileSync(process.execPath, [...measure, ...command], {
    cwd: root,
    env: { ...process.env, BENCH_USAGE_FILE: usageFile },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return JSON.parse(readFileSync(usageFile, 'utf8'));
}

async function measureAlone(name: string, size: HistorySize): Promise<number> {
  const database = join(folder, `${name}.sqlite`);
  const startedAt = performance.now();
  await fillHistory(database, size);
  const creationSeconds = (performance.now() - startedAt) / 1_000;
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ database, export: { dir: `export-${name}` } }));
  printLine(
    `${size.instances} instances, ${size.domains} domains, ${size.domains - size.instances + size.instances * size.visitsEach} visits: ` +
      `database of ${millions(statSync(database).size)} MB, made in ${creationSeconds.toFixed(0)} s`,
  );
  const first = exportOnce(name);
  const megabytes = millions(await bytesIn(join(folder, `export-${name}`)));
  const again = exportOnce(name);
  for (const [what, usage] of [
    ['first', first],
    ['unchanged', again],
  ] as const) {
    const seconds = (usage.wallMs / 1_000).toFixed(1);
    printLine(
      `  ${what.padEnd(10)}${seconds.padStart(7)} s, CPU ${(usage.cpuMs / 1_000).toFixed(1)} s, peak ${usage.peakRssMB.toFixed(0)} MB`,
    );
  }
  printLine(`  files: ${megabytes} MB`);
  return Math.max(first.peakRssMB, again.peakRssMB);
}

async function withApp(name: string, work: (app: Crawler) => Promise<void>): Promise<void> {
  const settings = loadSettings({
    env: {},
    file: join(folder, `${name}.json`),
    flags: { queue: { concurrency: 64, visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0 } },
  });
  const logger = createLogger({ level: 'error', stream: process.stderr });
  const clock = () => performance.now();
  // Known Loops servers stay Loops, because an export is refused if all instances would disappear.
  const servers = new Set(sampleDomains(instances));
  const identifier: Identifier = {
    resolve: async (domain) => ({ builder: createVisitBuilder(domain, Date.now, clock), addresses: [] }),
    identify: async ({ builder }) => {
      await delay(ANSWER_MS);
      const { domain } = builder;
      return servers.has(domain) ? loopsVisit(domain, Date.now()) : otherVisit(domain, Date.now());
    },
    cancelAll: () => {},
  };
  await using app = await createApp(settings, logger, { identifier });
  await work(app);
}

async function measureDuringCrawl(name: string): Promise<void> {
  await withApp(name, async (app) => {
    const { signal } = new AbortController();
    const rates: Record<'without' | 'with', number[]> = { without: [], with: [] };
    const maxDelayMs: Record<'without' | 'with', number> = { without: 0, with: 0 };
    let exports = 0;
    // Every domain was visited long ago and is due.
    const crawlFor = async (seconds: number) => {
      const delays = monitorEventLoopDelay({ resolution: 5 });
      delays.enable();
      const startedAt = performance.now();
      let visits = 0;
      const onCompleted = () => {
        visits += 1;
      };
      await app.crawl({ signal, drain: AbortSignal.timeout(seconds * 1_000), onCompleted });
      return { rate: visits / ((performance.now() - startedAt) / 1_000), maxDelayMs: delays.max / 1e6 };
    };
    const addResult = (kind: 'without' | 'with', { rate, maxDelayMs: ms }: { rate: number; maxDelayMs: number }) => {
      rates[kind].push(rate);
      maxDelayMs[kind] = Math.max(maxDelayMs[kind], ms);
    };
    await crawlFor(3);
    for (let round = 0; round < ROUNDS; round += 1) {
      addResult('without', await crawlFor(SECONDS));
      let isDone = false;
      const crawling = crawlFor(SECONDS).finally(() => {
        isDone = true;
      });
      const exporting = (async () => {
        while (!isDone) {
          await app.publishing.exportInBackground(signal);
          exports += 1;
        }
      })();
      const [crawled] = await Promise.all([crawling, exporting]);
      addResult('with', crawled);
    }
    const ratio = median(rates.with.map((rate, index) => rate / (rates.without[index] ?? Number.NaN)));
    const list = (visitRates: readonly number[]) => visitRates.map((rate) => rate.toFixed(0)).join(', ');
    printLine(
      `during a crawl: visits/s without ${list(rates.without)}; with ${list(rates.with)} (${exports} exports); ratio ${ratio.toFixed(2)}`,
    );
    printLine(
      `  longest event loop delay of the crawl: ${maxDelayMs.without.toFixed(0)} ms without, ${maxDelayMs.with.toFixed(0)} ms with`,
    );
  });
}

try {
  const tenth = { instances: Math.ceil(instances / 10), domains: Math.ceil(domains / 10), visitsEach };
  const small = await measureAlone('tenth', tenth);
  const large = await measureAlone('whole', { instances, domains, visitsEach });
  printLine(`peak memory at ten times the size: factor ${(large / small).toFixed(2)}`);
  await measureDuringCrawl('whole');
} finally {
  rmSync(folder, { recursive: true });
}
