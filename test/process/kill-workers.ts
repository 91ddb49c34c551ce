import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { LEASE_SECONDS, openEngine, TASKS } from '../../src/crawl/workers/engine.ts';
import { createFleet } from '../../src/reference/index.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { createFleetHome } from './fleet-home.ts';
import { type CliResult, runCli } from './run-cli.ts';

export interface KillWorkers {
  hosts: number;
  /** How many times each event happens. The sequence is random; the events are spread evenly over the crawl. */
  events: Partial<Record<KillEvent, number>>;
  visitsPerSecond: number;
  /** Visits at a time of all workers together. */
  concurrency: number;
}

/** `freeze`: a worker stops for longer than its lease, then continues. */
export type KillEvent = 'kill' | 'freeze' | 'kill crawl' | 'restart PostgreSQL';

export interface KillWorkersReport {
  /** Events that happened while the crawl ran. */
  happened: Record<KillEvent, number>;
  hosts: number;
  /** Domains with a recorded visit. */
  domains: number;
  visits: number;
  /** The number of visits of the domain that has most. */
  mostPerDomain: number;
  /** Domains that are due, or in progress, after the crawl. */
  due: number;
  inProgress: number;
  /** Hosts that two visits requested at the same time. */
  overlapping: string[];
  /** Tasks that are still in the engine after the crawl and their lease. */
  tasksLeft: number;
  requests: number;
  /** Requests beyond those of one visit to each host. */
  repeatedRequests: number;
  seconds: number;
}

const WORKERS = 3;
/** Visits at a time of each worker. */
export const WORKER_CONCURRENCY = 8;
/** robots.txt, config, discovery and NodeInfo. */
export const REQUESTS_PER_HOST = 4;

/** Crawls a fleet while workers, the crawling process and PostgreSQL are killed, then counts what went wrong. */
export async function killWorkers(options: KillWorkers): Promise<KillWorkersReport> {
  const { hosts, events, visitsPerSecond, concurrency } = options;
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const fleet = stack.use(await createFleet({ hosts, mix: { loops: 1, mastodon: 1 }, delayMs: [10, 60] }));
  const home = stack.use(createFleetHome(fleet, { queue: { concurrency, visitsPerSecond } }));
  const env = { LOOPSCOUT_ENGINE_URL: postgres.url };
  const startedAt = performance.now();
  const startedProcesses = new Set<ChildProcess>();
  stack.defer(() => {
    for (const child of startedProcesses) child.kill('SIGKILL');
  });

  const start = async (args: readonly string[]): Promise<{ child: ChildProcess; ended: Promise<CliResult> }> => {
    const started = Promise.withResolvers<ChildProcess>();
    const ended = runCli([...args, '--config', home.settingsFile], { env, onStart: started.resolve });
    const child = await started.promise;
    startedProcesses.add(child);
    return { child, ended };
  };
  const workers: ChildProcess[] = [];
  let lastWorkerNumber = 0;
  const startWorker = async () => {
    lastWorkerNumber += 1;
    const { child } = await start([
      'worker',
      '--name',
      `worker-${lastWorkerNumber}`,
      '--concurrency',
      String(WORKER_CONCURRENCY),
    ]);
    workers.push(child);
  };
  /** Starts another worker, then chooses one of the older ones at random and removes it from `workers`. */
  const chooseVictim = async (): Promise<ChildProcess | undefined> => {
    await startWorker();
    // A worker that starts while PostgreSQL is away ends by itself.
    const running = workers.filter(({ exitCode }) => exitCode === null);
    const worker = running[Math.floor(Math.random() * (running.length - 1))];
    if (worker !== undefined) workers.splice(workers.indexOf(worker), 1);
    return worker;
  };
  for (let count = 0; count < WORKERS; count += 1) await startWorker();
  const startCrawl = () => start(['crawl', '--json']);
  let crawl = await startCrawl();

  const causeEvent: Record<KillEvent, () => Promise<boolean>> = {
    async kill() {
      return (await chooseVictim())?.kill('SIGKILL') ?? false;
    },
    async freeze() {
      const worker = await chooseVictim();
      worker?.kill('SIGSTOP');
      setTimeout(() => worker?.kill('SIGCONT'), (LEASE_SECONDS + 5) * 1_000).unref();
      return worker !== undefined;
    },
    async 'kill crawl'() {
      const isRunning = crawl.child.kill('SIGKILL');
      const { code } = await crawl.ended;
      crawl = await startCrawl();
      return isRunning && code === null;
    },
    async 'restart PostgreSQL'() {
      await postgres.stop();
      await delay(500);
      await postgres.start();
      return true;
    },
  };
  const happened = { kill: 0, freeze: 0, 'kill crawl': 0, 'restart PostgreSQL': 0 };
  const plan = Object.entries(events).flatMap(([event, count]) => Array<KillEvent>(count).fill(event as KillEvent));
  plan.sort(() => Math.random() - 0.5);
  for (const [index, event] of plan.entries()) {
    const visitsBefore = (hosts * 0.8 * (index + 1)) / (plan.length + 1);
    while (crawl.child.exitCode === null && countVisits(home.database).visits < visitsBefore) await delay(50);
    if (crawl.child.exitCode !== null) break;
    if (await causeEvent[event]()) happened[event] += 1;
  }
  // A domain whose visit was cut off twice waits for some seconds, and no pass waits for it.
  for (let rest = 0; rest < 30; rest++) {
    const { code, stderr } = await crawl.ended;
    if (code !== 0) throw new Error(`the last crawl ended with ${code}: ${stderr}`);
    if (countVisits(home.database).domains === hosts) break;
    await delay(1_000);
    crawl = await startCrawl();
  }
  const { stdout } = await crawl.ended;
  const report = JSON.parse(stdout) as { domains: { due: number } };
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    ...{ happened, hosts, seconds },
    ...countVisits(home.database),
    due: report.domains.due,
    overlapping: [...fleet.requests.overlapping],
    requests: fleet.requests.total,
    repeatedRequests: fleet.requests.total - hosts * REQUESTS_PER_HOST,
    tasksLeft: await countTasksLeft(postgres),
  };
}

/** Number of active tasks in the engine, once it is 0 or their leases have expired for 10 s. */
async function countTasksLeft({ url }: Postgres): Promise<number> {
  const boss = await openEngine(url, { warn: () => undefined });
  try {
    for (let second = 0; ; second += 1) {
      const left = (await boss.findJobs(TASKS)).filter(({ state }) => state === 'active').length;
      if (left === 0 || second === LEASE_SECONDS + 10) return left;
      await delay(1_000);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

function countVisits(database: string): Pick<KillWorkersReport, 'domains' | 'visits' | 'mostPerDomain' | 'inProgress'> {
  try {
    using sqlite = openDisposable(database);
    return sqlite.database
      .prepare(
        `select count(*) as domains, coalesce(sum(n), 0) as visits, coalesce(max(n), 0) as mostPerDomain,
          (select count(*) from in_progress) as inProgress from (select count(*) as n from visits group by domain_id)`,
      )
      .get() as ReturnType<typeof countVisits>;
  } catch {
    // The database does not exist yet.
    return { domains: 0, visits: 0, mostPerDomain: 0, inProgress: 0 };
  }
}

function openDisposable(path: string) {
  const database = new Database(path, { readonly: true });
  return { database, [Symbol.dispose]: () => database.close() };
}
