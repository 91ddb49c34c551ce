import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Table } from 'console-table-printer';
import { findPeers, type Peer } from './crawl-peers.ts';
import { startCrawlBench } from './crawl-processes.ts';

/**
 * `npm run bench -- crawl [hosts] [rounds]`: CPU time of the product compared with bare node:https (the floor, the minimum cost of a
 * crawl) and with other programs on this machine, over TLS, with one new connection per host, half of the hosts Loops, at most 64
 * visits at a time. Whole processes alternate, so drifting machine speed affects all. Figures are medians; ratios are medians over
 * rounds. `--check`: a short run without the other programs, which fails when the ratio to the floor exceeds its limit. `--revisit`: the
 * second pass over the same hosts, six hours later, when robots.txt is known and nothing has changed.
 */
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' }, revisit: { type: 'boolean' } },
  allowPositionals: true,
});
const { check = false, revisit = false } = values;
const hosts = Number(positionals[0] ?? (check ? 1_000 : 5_000));
const rounds = Number(positionals[1] ?? 3);
const concurrency = 64;

/** CPU time of the product relative to the floor in `--check`. Lower it when the product becomes faster. */
const EXPECTED_RATIO = 1.9;
/** The maximum ratio of `--check`, with a margin for noise. */
const MAX_RATIO = 1.25 * EXPECTED_RATIO;
const REVISIT_AFTER_HOURS = 6;

interface Result {
  wallMs: number;
  cpuMs: number;
  /** Undefined when it is not measured. */
  peakRssMB?: number;
}

using bench = await startCrawlBench({ hosts, mix: { 'loops-federation-off': 1, mastodon: 1 } });
const { folder, fleet } = bench;
const floorFile = join(folder, 'floor.json');
writeFileSync(floorFile, JSON.stringify({ caFile: fleet.caFile, hosts: fleet.hosts, concurrency, isRevisit: revisit }));
const domains = fleet.hosts.map(({ domain }) => domain);
const expectedLoops = fleet.hosts.filter(({ expect }) => expect?.verdict === 'loops').length;
const requestsPerHost = (revisit ? 3 : 4) - (2 * expectedLoops) / hosts;
let crawls = 0;

function requireLoops(name: string, found: number): void {
  if (found !== expectedLoops) throw new Error(`${name} found ${found} Loops servers instead of ${expectedLoops}`);
}

async function crawlFloor(): Promise<Result> {
  const { output, ...usage } = await bench.measure([join(import.meta.dirname, 'crawl-floor.ts'), floorFile]);
  requireLoops('the floor', JSON.parse(output).loops);
  return usage;
}

async function crawlProduct(): Promise<Result> {
  const configuration = [`${crawls++}`, domains, { concurrency }] as const;
  const { output, ...usage } = await (revisit
    ? bench.crawlAgain('first', REVISIT_AFTER_HOURS, ...configuration)
    : bench.crawl(...configuration));
  const byVerdict = JSON.parse(output).byVerdict as { name: string; count: number }[];
  requireLoops('the product', byVerdict.find(({ name }) => name === 'loops')?.count ?? 0);
  return usage;
}

// The first crawl of a fleet, which creates its certificates, is not counted.
await (revisit ? bench.crawl('first', domains, { concurrency }) : crawlFloor());
const { peers, missing } =
  check || revisit ? { peers: [] as Peer[], missing: [] } : findPeers(bench, floorFile, concurrency);
const programs = [
  { name: 'floor', requestsPerHost, crawl: crawlFloor },
  { name: 'product', requestsPerHost, crawl: crawlProduct },
  ...peers,
].map((program) => ({ ...program, results: [] as Result[] }));
for (let round = 0; round < rounds; round++) for (const { crawl, results } of programs) results.push(await crawl());

const [floor, product] = programs;
if (floor === undefined || product === undefined) throw new Error('nothing was measured');
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const ratioTo = (results: readonly Result[]) =>
  median(product.results.map(({ cpuMs }, round) => cpuMs / (results[round]?.cpuMs ?? Number.NaN)));
const table = new Table({ columns: [{ name: 'program', alignment: 'left' }], shouldDisableColors: true });
table.addRows(
  programs.map(({ name, requestsPerHost, results }) => ({
    program: name,
    'requests per host': requestsPerHost.toFixed(1),
    'hosts per second': median(results.map(({ wallMs }) => (hosts * 1_000) / wallMs)).toFixed(0),
    'CPU ms per host': median(results.map(({ cpuMs }) => cpuMs / hosts)).toFixed(2),
    'peak memory, MB':
      results[0]?.peakRssMB === undefined ? '-' : median(results.map(({ peakRssMB = 0 }) => peakRssMB)).toFixed(0),
    'CPU: product / this': ratioTo(results).toFixed(2),
  })),
);
const head = `${hosts} hosts, ${rounds} rounds, Node ${process.versions.node}; includes start-up, DNS and export; the fleet runs on the same machine`;
process.stdout.write(`${[head, table.render(), ...missing].join('\n')}\n`);

if (check) {
  const ratio = ratioTo(floor.results);
  process.stdout.write(
    `The product uses ${ratio.toFixed(2)} times the CPU time of the floor; the limit is ${MAX_RATIO.toFixed(2)}, 25 % above ${EXPECTED_RATIO.toFixed(2)}.\n`,
  );
  process.exitCode = ratio > MAX_RATIO ? 1 : 0;
}
