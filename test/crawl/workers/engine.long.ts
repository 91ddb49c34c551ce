import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseDomains } from '../../../src/app/app.ts';
import { createNetwork, type NetworkParts } from '../../../src/app/network.ts';
import { createVisitor } from '../../../src/crawl/workers/carry-out.ts';
import { LEASE_SECONDS, openEngine, SCHEMA, TASKS } from '../../../src/crawl/workers/engine.ts';
import { createEngineVisitors } from '../../../src/crawl/workers/engine-visitors.ts';
import type { VisitResult, VisitTask } from '../../../src/crawl/workers/visit-task.ts';
import { work } from '../../../src/crawl/workers/work.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import { loadSettings, type Settings } from '../../../src/settings/settings.ts';
import { VERSION } from '../../../src/version.ts';
import { createTestNetwork } from '../../create-test-network.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { createSampleFleet, generousLimits, visitAll } from './compare-visits.ts';
import { startWorkerOn } from './start-worker.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres[Symbol.asyncDispose]());

const clocks = { now: Date.now, clock: () => performance.now() };

function crawlFor(settings: Settings, parts: Partial<NetworkParts> = {}) {
  const trouble: string[] = [];
  const { identifier } = createNetwork(settings, {
    ...clocks,
    engineUrl: postgres.url,
    onVisitorTrouble: (message) => trouble.push(message),
    ...parts,
  });
  onTestFinished(() => identifier.cancelAll());
  return {
    trouble,
    async visit(domain: Domain) {
      const resolved = await identifier.resolve(domain);
      return 'verdict' in resolved ? resolved : await identifier.identify(resolved);
    },
  };
}

const startWorker = (settings: Settings, name: string, concurrency?: number) =>
  startWorkerOn(postgres.url, settings, name, concurrency);

/** Direct access to the engine. */
async function openBoss(): Promise<PgBoss> {
  const { boss, close } = await openEngine(postgres.url, () => undefined);
  onTestFinished(() => close());
  return boss;
}

test('two workers share the hosts, and give each sampled kind of host the same verdict, steps and facts as the main process', async () => {
  await using fleet = await createSampleFleet(8);
  const settings = loadSettings({
    file: null,
    env: {},
    flags: {
      domains: { allowSuffixes: ['example'] },
      network: { ...generousLimits, allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
    },
  });
  const domains = parseDomains(
    fleet.hosts.map(({ domain }) => domain),
    settings,
  );
  const expected = await visitAll(domains, crawlFor(settings, { engineUrl: null }).visit);
  // Few visits at a time, so that the first worker does not take all tasks.
  const [west, east] = [startWorker(settings, 'west', 2), startWorker(settings, 'east', 2)];
  const crawl = crawlFor(settings);
  expect(await visitAll(domains, crawl.visit)).toEqual(expected);
  expect(west.visited.length).toBeGreaterThan(0);
  expect(east.visited.length).toBeGreaterThan(0);
  expect([...crawl.trouble, ...west.trouble, ...east.trouble]).toEqual([]);
});

/**
 * A task for one host, and a function that opens the visitors of a crawling process. No worker runs until the test starts one.
 *
 * @param budgetMs the time limit of the visit.
 */
async function createTask({
  budgetMs = 60_000,
  onRequest = () => {},
}: {
  budgetMs?: number;
  onRequest?: () => void;
} = {}) {
  const testNetwork = await createTestNetwork();
  let requests = 0;
  const host = await testNetwork.listen('single.example', '127.0.23.1', async (path) => {
    requests += 1;
    onRequest();
    return path === '/api/v1/config' ? { app: { software: 'other' } } : null;
  });
  const settings = testNetwork.settings({});
  const [domain] = parseDomains([host], settings) as [Domain];
  const trouble: string[] = [];
  const openVisitors = (version = VERSION) => {
    const visitors = createEngineVisitors({
      ...{ url: postgres.url, version, budgetMs, ...clocks, onWorkers: () => undefined },
      onTrouble: (message) => trouble.push(message),
    });
    onTestFinished(() => visitors.cancelAll());
    return visitors;
  };
  const task: VisitTask = {
    domain,
    steps: [],
    host: { ipv4: true, ipv6: false, tlsExpires: null, noindex: null, canonicalHost: null },
    hosts: [['single.example', { kind: 'allowed', addresses: [{ address: '127.0.23.1', family: 4 }] }]],
    cachedRobots: null,
    options: { softwareId: 'loops', robots: 'standard', allowSuffixes: ['example'], userAgent: 'Loopscout/0.0.0' },
    earlier: { exchanges: [], certificate: null },
  };
  return { openVisitors, task, settings, trouble, requests: () => requests };
}

/** Takes the next task from the queue, as a worker does. */
async function takeTask(boss: PgBoss) {
  return await vi.waitFor(
    async () => {
      const [job] = await boss.fetch<{ resultsTo: string }>(TASKS);
      expect(job).toBeDefined();
      return job as NonNullable<typeof job>;
    },
    { timeout: 30_000 },
  );
}

describe('a crawling process', () => {
  test('refuses malformed results, and ignores late ones and those of unknown visits', async () => {
    const { openVisitors, task, trouble } = await createTask();
    const boss = await openBoss();
    const visit = openVisitors().visit(task);
    const { id, data } = await takeTask(boss);
    const worker = { name: 'liar', version: VERSION };
    const malformed = [
      {},
      { job: id, worker, result: { kind: 'visited', visit: { domain: task.domain, verdict: 'loops' } } },
      { job: id, worker, result: { kind: 'needs', url: 'file:///etc/passwd', part: null } },
    ];
    for (const message of malformed) await boss.send(data.resultsTo, message);
    await vi.waitFor(() => expect(trouble).toHaveLength(3), { timeout: 30_000 });
    await boss.send(data.resultsTo, { job: crypto.randomUUID(), worker, result: { kind: 'expired' } });
    // The second copy is late.
    for (let copy = 0; copy < 2; copy += 1)
      await boss.send(data.resultsTo, { job: id, worker, result: { kind: 'expired' } });
    expect(await visit).toEqual({ kind: 'expired' });
    expect(trouble).toHaveLength(3);
    await boss.deleteJob(TASKS, id);
  });

  test('sends a task only after another task for the same host has ended, even one of another crawling process', async () => {
    const { openVisitors, task } = await createTask();
    const boss = await openBoss();
    const first = openVisitors().visit(task);
    const { id, data } = await takeTask(boss);
    const second = openVisitors().visit(task);
    // Enough for two attempts to send the task, 500 ms apart.
    await delay(1_200);
    expect(await boss.fetch(TASKS)).toEqual([]);
    const worker = { name: 'slow', version: VERSION };
    await boss.send(data.resultsTo, { job: id, worker, result: { kind: 'expired' } });
    expect(await first).toEqual({ kind: 'expired' });
    await boss.deleteJob(TASKS, id);
    const next = await takeTask(boss);
    expect(next.id).not.toBe(id);
    await boss.send(next.data.resultsTo, { job: next.id, worker, result: { kind: 'expired' } });
    expect(await second).toEqual({ kind: 'expired' });
    await boss.deleteJob(TASKS, next.id);
  });

  test('gives up a visit as lost when its lease expires without a result, not earlier', async () => {
    const { openVisitors, task, trouble } = await createTask({ budgetMs: 1_000 });
    const boss = await openBoss();
    const visit = openVisitors().visit(task);
    visit.catch(() => undefined);
    await takeTask(boss);
    const startedAt = performance.now();
    await expect(visit).rejects.toMatchObject({ code: 'lost' });
    // The engine keeps the task for the budget of 1 s and 2 s more.
    expect(performance.now() - startedAt).toBeGreaterThan(2_500);
    expect(trouble).toEqual([expect.stringContaining('did not end the visit')]);
  });
});

test('a worker that was frozen past its lease sends no further request and no result', async () => {
  let frozenMs = 0;
  const onRequest = () => {
    frozenMs = (LEASE_SECONDS + 5) * 1_000;
  };
  const { openVisitors, task, settings, requests } = await createTask({ onRequest });
  const results: VisitResult[] = [];
  const stop = new AbortController();
  const { guard } = createNetwork(settings, clocks);
  // A process notices a freeze only as a jump of its monotonic clock.
  const clock = () => performance.now() + frozenMs;
  const ended = work({
    ...{ url: postgres.url, name: 'frozen', version: VERSION, concurrency: 1, guard, clock, signal: stop.signal },
    ...{
      carryOut: createVisitor(settings.network, clock),
      isHostAtFault: async () => true,
      isOnline: async () => true,
    },
    onTrouble: () => undefined,
    onVisited: (_task, result) => results.push(result),
  });
  const visitors = openVisitors();
  let isAnswered = false;
  const visit = visitors.visit(task).finally(() => {
    isAnswered = true;
  });
  visit.catch(() => undefined);
  await vi.waitFor(() => expect(results).toEqual([{ kind: 'expired' }]), { timeout: 30_000 });
  stop.abort();
  await ended;
  expect(requests()).toBe(1);
  expect(isAnswered).toBe(false);
  visitors.cancelAll();
});

test('a worker of another version ends with an error that names both versions, and contacts no host', async () => {
  const { openVisitors, task, settings, requests } = await createTask();
  const { ended } = startWorker(settings, 'old');
  const result = openVisitors('9.9.9').visit(task);
  await expect(ended).rejects.toThrow(
    `this worker has version ${VERSION}, the crawling process has version 9.9.9: install the same version on both`,
  );
  expect(await result).toMatchObject({ kind: 'unvisited' });
  expect(requests()).toBe(0);
});

test('a worker whose address guard forbids an address ends with an error that names it, and contacts no host', async () => {
  const { openVisitors, task, settings, requests } = await createTask();
  const { ended } = startWorker({ ...settings, network: { ...settings.network, allow: [] } }, 'strict');
  const result = openVisitors().visit(task);
  await expect(ended).rejects.toThrow('this worker must not connect to 127.0.23.1');
  expect(await result).toMatchObject({ kind: 'unvisited' });
  expect(requests()).toBe(0);
});

test('a worker that is offline records no failure and waits, and another worker makes the visit', async () => {
  const { openVisitors, task, settings } = await createTask();
  // The offline worker reaches no IPv4 address and no DNS server.
  const network = { ...settings.network, localAddress: '::1', dnsServers: ['127.0.0.1:1'], dnsTimeoutMs: 50 };
  const offline = startWorker({ ...settings, network }, 'offline');
  const visitors = openVisitors();
  expect(await visitors.visit(task)).toEqual({ kind: 'unvisited', why: 'this machine is offline' });
  await expect.poll(() => offline.trouble).toEqual(['this machine is offline; no visit begins']);
  const visit = visitors.visit(task);
  await delay(300);
  startWorker(settings, 'online');
  expect(await visit).toMatchObject({ kind: 'visited', visit: { verdict: 'other' } });
  expect(offline.visited).toHaveLength(1);
});

test('a worker refuses a task that has waited for more than a minute', async () => {
  const { openVisitors, task, settings, requests } = await createTask();
  const boss = await openBoss();
  const visit = openVisitors().visit(task);
  await vi.waitFor(async () => expect(await boss.findJobs(TASKS)).toHaveLength(1), { timeout: 30_000 });
  await boss
    .getDb()
    .executeSql(`update ${SCHEMA}.job set created_on = now() - interval '61 seconds' where name = $1`, [TASKS]);
  startWorker(settings, 'west');
  expect(await visit).toEqual({ kind: 'unvisited', why: 'the task waited too long for a worker' });
  expect(requests()).toBe(0);
});

test('visits survive a restart of PostgreSQL', async () => {
  const { openVisitors, task, settings, trouble } = await createTask();
  const worker = startWorker(settings, 'west');
  const visitors = openVisitors();
  expect(await visitors.visit(task)).toMatchObject({ kind: 'visited', visit: { verdict: 'other' } });
  await postgres.stop();
  const visit = visitors.visit(task);
  await expect(startWorker(settings, 'late').ended).rejects.toThrow('the job engine cannot be used');
  // A restart can be shorter than the polling interval, so both sides must notice the stop first.
  await vi.waitFor(
    () => {
      for (const messages of [trouble, worker.trouble])
        expect(messages.join('\n')).toContain('the job engine does not answer');
    },
    { timeout: 30_000 },
  );
  await postgres.start();
  expect(await visit).toMatchObject({ kind: 'visited', visit: { verdict: 'other' } });
});

test('the errors of the engine do not contain its password', async () => {
  const port = new URL(postgres.url).port;
  const atServer = `postgres://loopscout:s3cr3t@127.0.0.1:${port}`;
  const urls = [
    'postgres://loopscout:s3cr3t@127.0.0.1:1/none',
    `${atServer}/none`,
    `${atServer}/postgres?sslmode=verify-full`,
    'postgres://127.0.0.1:1/none?password=s3cr3t',
    'postgres://loopscout:s3cr3t%zz@127.0.0.1:1/none',
    'loopscout:s3cr3t@127.0.0.1/none',
    's3cr3t',
  ];
  for (const url of urls) {
    const visitors = createEngineVisitors({
      ...{ url, version: VERSION, budgetMs: 1_000, ...clocks },
      ...{ onTrouble: () => undefined, onWorkers: () => undefined },
    });
    const error = await visitors.visit({} as VisitTask).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'no-workers' });
    expect(String(error)).toMatch(/^VisitError: the job engine cannot be used: .+/);
    expect(String(error)).not.toContain('s3cr3t');
  }
});

test('a TLS connection to the engine requires a trusted certificate for its host name', async () => {
  const { port } = new URL(postgres.url);
  const urlOf = (host: string, options: string) => `postgres://loopscout@${host}:${port}/postgres?${options}`;
  const trusted = `sslmode=verify-full&sslrootcert=${postgres.caFile}`;
  const { boss, close } = await openEngine(urlOf('127.0.0.1', trusted), () => undefined);
  onTestFinished(() => close());
  const { rows } = await boss.getDb().executeSql('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  expect(rows).toEqual([{ ssl: true }]);
  const errorOf = async (url: string) => await openEngine(url, () => undefined).catch((error) => String(error));
  const prefix = 'EngineError: the job engine cannot be used: ';
  expect(await errorOf(urlOf('127.0.0.1', 'sslmode=verify-full'))).toContain(`${prefix}unable to verify`);
  expect(await errorOf(urlOf('localhost', trusted))).toContain(`${prefix}Hostname/IP does not match`);
});
