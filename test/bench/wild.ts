import { storedDomain } from '../../src/model/domain/domain.ts';
import { openReader } from '../../src/store/store-reader.ts';
import { startCrawlBench } from './crawl-processes.ts';

/**
 * `npm run bench -- wild [hosts] [concurrency] [longest delay]`: crawls a fleet with internet-like faults (20 % of the names do
 * not exist, 5 % have silent name servers, 5 % refuse, 5 % accept and stay silent, 5 % have TLS faults, the rest answer after
 * 20 ms to the longest delay, by default 2,000 ms, per request). Compares the time with the ideal schedule
 * of the same requests: their total time divided by the concurrency, or the longest visit if that is longer. Also prints which share
 * of the places for visits (as many as the concurrency) was in use until the last visit started: after that, too few visits are
 * left to fill them.
 */
const hosts = Number(process.argv[2] ?? 20_000);
const concurrency = Number(process.argv[3] ?? 256);
// Where hosts answer so fast that the cores are busy, the cores set the speed and not the schedule.
const longestDelayMs = Number(process.argv[4] ?? 2_000);

using bench = await startCrawlBench({
  hosts,
  delayMs: [20, longestDelayMs],
  mix: {
    'dns-nxdomain': 20,
    'dns-silent': 5,
    'connection-refused': 5,
    'stalls-on-connect': 5,
    'tls-expired': 2,
    'tls-wrong-name': 2,
    'tls-unknown-authority': 1,
    loops: 20,
    'loops-federation-off': 10,
    mastodon: 20,
    pixelfed: 5,
    'not-found-everywhere': 5,
  },
});
const { fleet } = bench;
const { wallMs, cpuMs, peakRssMB, output } = await bench.crawl(
  'wild',
  fleet.hosts.map(({ domain }) => domain),
  { concurrency },
);
const { durationMs } = JSON.parse(output) as { durationMs: number };

using reader = openReader(bench.databaseOf('wild'), { busyTimeoutMs: 5_000 });
let totalRequestMs = 0;
let longestVisitMs = 0;
const visits: { at: number; requestsMs: number }[] = [];
const unexpected = new Map<string, number>();
for (const { domain, kind, expect } of fleet.hosts) {
  const [visit] = reader.visits.of(storedDomain(domain));
  if (visit === undefined) throw new Error(`${domain} was not visited.`);
  if (visit.verdict !== expect?.verdict) {
    const what = `${kind}: ${visit.verdict} ${visit.reason}`;
    unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
  }
  const steps = visit.steps ?? [];
  const ms = steps.map((step) => step.ms);
  const requestsMs = steps.filter(({ probe }) => probe !== 'dns').reduce((sum, step) => sum + step.ms, 0);
  totalRequestMs += requestsMs;
  visits.push({ at: visit.at, requestsMs });
  longestVisitMs = Math.max(
    longestVisitMs,
    ms.reduce((sum, stepMs) => sum + stepMs, 0),
  );
}
const idealMs = Math.max(totalRequestMs / concurrency, longestVisitMs);
const starts = visits.map(({ at }) => at);
const [firstStart, lastStart] = [Math.min(...starts), Math.max(...starts)];
const busyMs = visits.reduce((sum, { at, requestsMs }) => sum + Math.min(requestsMs, lastStart - at), 0);
const inUse = busyMs / (concurrency * (lastStart - firstStart));
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
process.stdout.write(
  [
    `${hosts} hosts, ${concurrency} at a time, Node ${process.versions.node}; verdicts other than expected: ${[...unexpected].map(([what, count]) => `${count} ${what}`).join(', ') || 'none'}`,
    `ideal ${seconds(idealMs)} (requests ${seconds(totalRequestMs)} in all, longest visit ${seconds(longestVisitMs)})`,
    `taken ${seconds(durationMs)} for the pass, ${seconds(wallMs)} for the process: ${percent(idealMs / durationMs)} of the ideal speed; ${percent(inUse)} of the places in use until the last start`,
    `CPU ${(cpuMs / hosts).toFixed(2)} ms a host, peak memory ${peakRssMB.toFixed(0)} MB`,
    '',
  ].join('\n'),
);
