import { startCrawlBench } from './crawl-processes.ts';

/**
 * `npm run bench -- memory [hosts...]`: peak memory of a crawl of 20,000 and of 200,000 hosts over TLS, half of them Loops, at most
 * 64 visits at a time. Prints the peak before the export starts, and the peak of the whole process, export included. The larger
 * crawl takes 15 minutes or more.
 */
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [20_000, 200_000];
const megabytes = (value: number) => `${value.toFixed(0)} MB`;

process.stdout.write(`Node ${process.versions.node}; peak resident memory\n`);
let firstPeakMB: number | undefined;
for (const hosts of sizes) {
  using bench = await startCrawlBench({ hosts, mix: { 'loops-federation-off': 1, mastodon: 1 } });
  const domains = bench.fleet.hosts.map(({ domain }) => domain);
  // Fills the compile cache.
  await bench.crawl('warm-up', domains.slice(0, 10), { concurrency: 64 });
  const { visited, crawlPeakMB, wallMs, peakRssMB } = await bench.crawlInStages('memory', domains, { concurrency: 64 });
  if (visited !== hosts) throw new Error(`${visited} of ${hosts} hosts were visited`);
  firstPeakMB ??= crawlPeakMB;
  process.stdout.write(
    `${hosts} hosts in ${(wallMs / 1_000).toFixed(0)} s: crawl ${megabytes(crawlPeakMB)}, ${(crawlPeakMB / firstPeakMB).toFixed(2)} times the first; with the export ${megabytes(peakRssMB)}\n`,
  );
}
