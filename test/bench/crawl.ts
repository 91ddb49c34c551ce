import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCrawlBench } from './crawl-processes.ts';
import type { Usage } from './measure.ts';
import { median, printTable } from './print-figures.ts';

/**
 * `npm run bench -- crawl [hosts] [rounds]`: CPU time of the product compared with bare node:https (the floor, the minimum cost of a
 * crawl), over TLS, with one new connection per host, half of the hosts Loops, at most 64 visits at a time. Whole processes alternate, so
 * drifting machine speed affects both. Figures are medians; ratios are medians over rounds. `--check`: a short run, which fails when the
 * ratio exceeds its limit. `--revisit`: the second pass over the same hosts, six hours later, when robots.txt is known and nothing has
 * changed.
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

using bench = await startCrawlBench({ hosts, mix: { 'loops-federation-off': 1, mastodon: 1 } });
const { folder, fleet } = bench;
const floorFile = join(folder, 'floor.json');
writeFileSync(floorFile, JSON.stringify({ caFile: fleet.caFile, hosts: fleet.hosts, concurrency, isRevisit: revisit }));
const domains = fleet.hosts.map(({ domain }) => domain);
const expectedLoops = fleet.hosts.filter(({ expect }) => expect?.verdict === 'loops').length;
let crawls = 0;

function requireLoops(name: string, found: number): void {
  if (found !== expectedLoops) throw new Error(`${name} found ${found} Loops servers instead of ${expectedLoops}`);
}

async function crawlFloor(): Promise<Usage> {
  const { output, ...usage } = await bench.measure([join(import.meta.dirname, 'crawl-floor.ts'), floorFile]);
  requireLoops('the floor', JSON.parse(output).loops);
  return usage;
}

async function crawlProduct(): Promise<Usage> {
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
const programs: Readonly<Record<'floor' | 'product', () => Promise<Usage>>> = {
  floor: crawlFloor,
  product: crawlProduct,
};
const results: Record<keyof typeof programs, Usage[]> = { floor: [], product: [] };
for (let round = 0; round < rounds; round++)
  for (const name of ['floor', 'product'] as const) results[name].push(await programs[name]());

const ratio = median(results.product.map(({ cpuMs }, round) => cpuMs / (results.floor[round]?.cpuMs ?? Number.NaN)));
printTable(
  `${hosts} hosts, ${rounds} rounds, Node ${process.versions.node}; includes start-up, DNS and export; the fleet runs on the same machine`,
  Object.entries(results).map(([program, usages]) => ({
    program,
    'hosts per second': median(usages.map(({ wallMs }) => (hosts * 1_000) / wallMs)).toFixed(0),
    'CPU ms per host': median(usages.map(({ cpuMs }) => cpuMs / hosts)).toFixed(2),
    'peak memory, MB': median(usages.map(({ peakRssMB }) => peakRssMB)).toFixed(0),
  })),
);
process.stdout.write(`The product uses ${ratio.toFixed(2)} times the CPU time of the floor.\n`);

if (check && ratio > MAX_RATIO) {
  process.stdout.write(`The limit is ${MAX_RATIO.toFixed(2)}, 25 % above ${EXPECTED_RATIO.toFixed(2)}.\n`);
  process.exitCode = 1;
}
