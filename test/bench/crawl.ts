import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Table } from 'console-table-printer';
import { startCrawlBench } from './crawl-processes.ts';
import type { Usage } from './measure.ts';

/**
 * `npm run bench -- crawl [hosts] [rounds]`: the product compared with bare node:https (the floor, the minimum cost of a crawl), over TLS, with one new connection per
 * host, half of the hosts Loops, at most 64 visits at a time. Whole processes alternate, so drifting machine speed affects both.
 * Figures are medians; ratios are medians over pairs.
 */
const hosts = Number(process.argv[2] ?? 5_000);
const rounds = Number(process.argv[3] ?? 3);
const concurrency = 64;

using bench = await startCrawlBench({ hosts, mix: { 'loops-federation-off': 1, mastodon: 1 } });
const { folder, fleet } = bench;
const floorFile = join(folder, 'floor.json');
writeFileSync(floorFile, JSON.stringify({ caFile: fleet.caFile, hosts: fleet.hosts, concurrency }));
const domains = fleet.hosts.map(({ domain }) => domain);

const floors: Usage[] = [];
const products: Usage[] = [];
for (let round = 0; round <= rounds; round++) {
  const floor = await bench.measure([join(import.meta.dirname, 'crawl-floor.ts'), floorFile]);
  const product = await bench.crawl(`${round}`, domains, { concurrency });
  const found = JSON.parse(product.output).byVerdict.find(({ name }: { name: string }) => name === 'loops').count;
  if (found !== JSON.parse(floor.output).loops) throw new Error(`the results differ: ${found}, ${floor.output}`);
  // The first round warms the fleet's certificates and is not counted.
  if (round > 0) {
    floors.push(floor);
    products.push(product);
  }
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const figure = (name: string, figureOf: (usage: Usage) => number, digits: number) => ({
  figure: name,
  floor: median(floors.map(figureOf)).toFixed(digits),
  product: median(products.map(figureOf)).toFixed(digits),
  ratio: median(products.map((product, i) => figureOf(product) / figureOf(floors[i] ?? product))).toFixed(2),
});
const table = new Table({ columns: [{ name: 'figure', alignment: 'left' }], shouldDisableColors: true });
table.addRows([
  figure('hosts per second', ({ wallMs }) => (hosts * 1_000) / wallMs, 0),
  figure('CPU ms per host', ({ cpuMs }) => cpuMs / hosts, 2),
  figure('peak memory, MB', ({ peakRssMB }) => peakRssMB, 0),
]);
process.stdout.write(
  `${hosts} hosts, ${rounds} rounds, Node ${process.versions.node}; includes start-up, DNS and export; the fleet runs on the same machine\n${table.render()}\n`,
);
