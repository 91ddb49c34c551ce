import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { openReader } from '../../src/store/store-reader.ts';
import { type CrawlBench, startCrawlBench } from './crawl-processes.ts';
import { fillHistory, type HistorySize } from './fill-history.ts';
import { printTable } from './print-figures.ts';

/**
 * `npm run bench -- unit-costs [hosts]`: what one more visit costs for each class of host, and what one more domain and one more
 * instance cost in an export. CPU time and bytes are differences between a large and a small run, so that start-up costs cancel out;
 * requests are the mean of the large run. Bytes of visits are those of the loopback interface, so they include whatever else uses it.
 */
const hosts = Number(process.argv[2] ?? 3_000);
const small = Math.ceil(hosts / 3);
/** For each class of hosts, the kind of the fleet's hosts that stands for it. */
const kinds = { Loops: 'loops-live', 'other software': 'mastodon', dead: 'dns-nxdomain' };

/** Bytes with IP and TCP headers, both directions. */
function loopbackBytes(): number {
  const [, bytes] = /^\s*lo:\s*(\d+)/m.exec(readFileSync('/proc/net/dev', 'utf8')) ?? [];
  return Number(bytes);
}

async function measureVisits(kind: string) {
  using bench = await startCrawlBench({ hosts, mix: { [kind]: 1 } });
  const domains = bench.fleet.hosts.map(({ domain }) => domain);
  const crawl = async (name: string, count: number) => {
    const before = loopbackBytes();
    const { crawlCpuMs } = await bench.crawlInStages(name, domains.slice(0, count), { concurrency: 64 });
    return { crawlCpuMs, bytes: loopbackBytes() - before };
  };
  await crawl('warm-up', small);
  const [smallCrawl, largeCrawl] = [await crawl('small', small), await crawl('large', hosts)];
  using reader = openReader(bench.databaseOf('large'), { busyTimeoutMs: 5_000 });
  const steps = domains.flatMap((domain) => {
    const [visit] = reader.visits.of(storedDomain(domain));
    return visit?.steps ?? [];
  });
  return {
    'CPU ms': (largeCrawl.crawlCpuMs - smallCrawl.crawlCpuMs) / (hosts - small),
    requests: steps.filter(({ probe }) => probe !== 'dns').length / hosts,
    bytes: (largeCrawl.bytes - smallCrawl.bytes) / (hosts - small),
  };
}

async function measureExport(bench: CrawlBench, name: string, size: HistorySize) {
  const database = join(bench.folder, `${name}.sqlite`);
  const dir = join(bench.folder, `export-${name}`);
  const config = join(bench.folder, `${name}.json`);
  await fillHistory(database, size);
  writeFileSync(config, JSON.stringify({ database, export: { dir } }));
  const cli = join(import.meta.dirname, '../../src/cli.ts');
  const { cpuMs } = await bench.measure([cli, 'export', '--json', '--config', config]);
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  return { cpuMs, bytes };
}

async function measureExports() {
  using bench = await startCrawlBench({ hosts: 1, mix: { mastodon: 1 } });
  const size = { instances: 100, domains: 1_000, visitsEach: 60 };
  const [instances, domains] = [small, 20 * small];
  await measureExport(bench, 'warm-up', size);
  const base = await measureExport(bench, 'base', size);
  const moreDomains = await measureExport(bench, 'domains', { ...size, domains: size.domains + domains });
  const moreInstances = await measureExport(bench, 'instances', {
    ...size,
    instances: size.instances + instances,
    domains: size.domains + instances,
  });
  const perUnit = (more: typeof base, count: number) => ({
    'CPU ms': (more.cpuMs - base.cpuMs) / count,
    bytes: (more.bytes - base.bytes) / count,
  });
  return { domain: perUnit(moreDomains, domains), instance: perUnit(moreInstances, instances) };
}

function print(head: string, rows: Record<string, Record<string, number>>): void {
  const digits = (value: number) => (value < 1_000 ? value.toPrecision(3) : value.toFixed(0));
  printTable(
    head,
    Object.entries(rows).map(([unit, figures]) => {
      const texts = Object.entries(figures).map(([name, value]) => [name, digits(value)]);
      return { unit, ...Object.fromEntries(texts) };
    }),
  );
}

const visits: Record<string, Record<string, number>> = {};
for (const [name, kind] of Object.entries(kinds)) visits[name] = await measureVisits(kind);
print(`One visit, from crawls of ${small} and of ${hosts} hosts, Node ${process.versions.node}`, visits);
print('One more domain or instance in an export, with 60 visits of each instance', await measureExports());
