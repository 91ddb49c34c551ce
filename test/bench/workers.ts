import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Table } from 'console-table-printer';
import { kinds } from '../../src/reference/index.ts';
import { generousLimits } from '../crawl/workers/compare-visits.ts';
import { startPostgres } from '../postgres.ts';
import type { WorkersCrawl, WorkersCrawlOptions } from './crawl-by-workers.ts';
import type { FleetReport } from './crawl-fleet.ts';
import { startCrawlBench } from './crawl-processes.ts';

/**
 * `npm run bench -- workers [hosts]`: the same crawl in one process and by workers through a temporary PostgreSQL.
 * The fleet has every kind of host that neither causes a time-out nor leads to another host. Prints the CPU time per host of each process
 * until the export, starts included. Exit code 1 when a host was not visited exactly once, two visits overlapped, or a result or number of
 * requests differs from the crawl in one process. Linux only.
 */
const hosts = Number(process.argv[2] ?? 5_000);
const concurrency = 64;

interface Plan {
  name: string;
  workers: number;
}

const ALONE: Plan = { name: 'one process', workers: 0 };
const PLANS: readonly Plan[] = [
  ALONE,
  { name: '1 worker', workers: 1 },
  { name: '2 workers', workers: 2 },
  { name: '4 workers', workers: 4 },
];

const mix = Object.fromEntries(
  kinds.filter(({ weight, needsTarget }) => weight !== 0 && needsTarget !== true).map(({ name }) => [name, 1]),
);
using bench = await startCrawlBench({ hosts, mix, log: true });
await using postgres = await startPostgres();
const domains = bench.fleet.hosts.map(({ domain }) => domain);
let crawls = 0;

function startWorker(settings: string, name: string): ChildProcess {
  const cli = join(import.meta.dirname, '../../src/cli.ts');
  const env = { LOOPSCOUT_ENGINE_URL: postgres.url, LOOPSCOUT_LOG_LEVEL: 'error' };
  return bench.start([cli, 'worker', '--config', settings, '--name', name], env);
}

async function crawlBy({ workers: count }: Plan): Promise<WorkersCrawl & { fleet: FleetReport }> {
  const settingsFile = bench.configure(`${crawls++}`, domains, { concurrency }, generousLimits);
  const workers = Array.from({ length: count }, (_, index) => startWorker(settingsFile, `worker-${index + 1}`));
  const options: WorkersCrawlOptions = {
    ...{ settingsFile, postgresPid: postgres.pid },
    workerPids: workers.map(({ pid = 0 }) => pid),
  };
  await bench.report();
  const script = join(import.meta.dirname, 'crawl-by-workers.ts');
  const env = count === 0 ? {} : { LOOPSCOUT_ENGINE_URL: postgres.url };
  const { output } = await bench.measure([script, JSON.stringify(options)], env);
  const ends = workers.map((worker) => once(worker, 'close'));
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(ends);
  return { ...(JSON.parse(output) as WorkersCrawl), fleet: await bench.report() };
}

/** A line for each difference from the crawl in one process, and for each event that must not happen. */
function findFaults(run: Awaited<ReturnType<typeof crawlBy>>, alone: Awaited<ReturnType<typeof crawlBy>>): string[] {
  const differences = (actual: ReadonlyMap<string, unknown>, expected: ReadonlyMap<string, unknown>) =>
    [...actual]
      .filter(([host, value]) => expected.get(host) !== value)
      .map(([host, value]) => `${host}: ${value}; in one process: ${expected.get(host)}`);
  const verdicts = ({ visits }: typeof run) =>
    new Map(visits.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
  const requests = ({ fleet }: typeof run) =>
    new Map(Object.entries(fleet.byHost).map(([host, count]) => [host, `${count} requests`]));
  return [
    ...run.trouble,
    ...(run.visits.length === hosts ? [] : [`${run.visits.length} visits of ${hosts} hosts`]),
    ...differences(verdicts(run), verdicts(alone)),
    ...differences(requests(run), requests(alone)),
    ...run.fleet.overlapping.map((host) => `two visits at a time: ${host}`),
  ];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const perHost = (ms: number) => (ms / hosts).toFixed(2);

// Creates the certificates of the fleet and fills the compile cache; some kinds of host fail only their first request.
await crawlBy(ALONE);
const alone = await crawlBy(ALONE);
const table = new Table({ columns: [{ name: 'visits in', alignment: 'left' }], shouldDisableColors: true });
for (const plan of PLANS) {
  const run = plan === ALONE ? alone : await crawlBy(plan);
  const { cpuMs, othersCpuMs, latencyMs, overheadMs } = run;
  const total = cpuMs + sum(othersCpuMs);
  const busiest = Math.max(...othersCpuMs);
  const faults = findFaults(run, alone);
  if (faults.length > 0) process.exitCode = 1;
  for (const fault of faults.slice(0, 20)) process.stdout.write(`${plan.name}: ${fault}\n`);
  table.addRow({
    'visits in': plan.name,
    'crawling process': perHost(cpuMs),
    'each further process': othersCpuMs.map(perHost).join(' '),
    total: perHost(total),
    PostgreSQL: plan === ALONE ? '' : perHost(run.postgresCpuMs),
    'busiest / alone': othersCpuMs.length === 0 ? '' : (busiest / alone.cpuMs).toFixed(2),
    'total / alone': (total / alone.cpuMs).toFixed(2),
    'hosts/s': ((hosts * 1_000) / run.wallMs).toFixed(0),
    'latency ms': `${latencyMs.median.toFixed(0)} ${latencyMs.p95.toFixed(0)}`,
    'of it outside the visit': `${overheadMs.median.toFixed(0)} ${overheadMs.p95.toFixed(0)}`,
    'two at a time': run.fleet.overlapping.length,
    faults: faults.length,
  });
}
process.stdout.write(
  `CPU time in ms per host, ${hosts} hosts, ${concurrency} visits at a time, Node ${process.versions.node}; latency from dispatch to result: median and 95th percentile\n${table.render()}\n`,
);
