import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createNetwork, type NetworkParts, visitContextOf } from '../../../src/app/network.ts';
import { LEASE_SECONDS, openEngine, TASKS } from '../../../src/crawl/workers/engine.ts';
import { createVisitByTask } from '../../../src/crawl/workers/visit-by-task.ts';
import { work } from '../../../src/crawl/workers/work.ts';
import { WorkerVisits } from '../../../src/crawl/workers/worker-visits.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import { parseDomains } from '../../../src/settings/parse-domains.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { VERSION } from '../../../src/version.ts';
import { createTestNetwork } from '../../create-test-network.ts';
import { visitContext } from '../../identify/visit-context.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { createSampleFleet, visitAll } from './compare-visits.ts';
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
    log: { warn: (message) => trouble.push(message) },
    ...parts,
  });
  onTestFinished(() => identifier.cancelAll());
  return {
    trouble,
    async visit(domain: Domain) {
      const resolved = await identifier.resolve(domain);
      return 'verdict' in resolved ? resolved : await identifier.identify(resolved, visitContextOf(settings));
    },
  };
}

const startWorker = (settings: Settings, name: string, concurrency?: number) =>
  startWorkerOn(postgres.url, settings, name, concurrency);

/** Direct access to the engine. */
async function openBoss(): Promise<PgBoss> {
  const boss = await openEngine(postgres.url, SILENT);
  onTestFinished(() => boss.stop({ graceful: false }));
  return boss;
}

test('two workers share the hosts, and give each sampled kind of host the same verdict, steps and facts as the main process', async () => {
  await using fleet = await createSampleFleet(8);
  const { settings, domains } = fleet;
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
 * A host, and a function that opens the visits of a crawling process. No worker runs until the test starts one.
 *
 * @param budgetMs the time limit of the visit.
 */
async function createHost({
  budgetMs = 60_000,
  onRequest = () => {},
}: {
  budgetMs?: number;
  onRequest?: () => void;
} = {}) {
  const testNetwork = await createTestNetwork();
  const requests: string[] = [];
  const hostAndPort = await testNetwork.listen('single.example', '127.0.23.1', async (path) => {
    requests.push(path);
    onRequest();
    return path === '/api/v1/config' ? { app: { software: 'other' } } : null;
  });
  const settings = testNetwork.settings({});
  const [domain] = parseDomains([hostAndPort], settings) as [Domain];
  const trouble: string[] = [];
  const openVisits = (version = VERSION) => {
    const visits = new WorkerVisits({
      ...{ url: postgres.url, version, budgetMs, userAgent: 'Loopscout/0.0.0', now: Date.now },
      ...{ store: { recordWorkers: () => undefined }, log: { warn: (message) => trouble.push(message) } },
    });
    onTestFinished(() => visits.cancelAll());
    const host = { domain, addresses: [{ address: '127.0.23.1', family: 4 as const }] };
    return { visit: () => visits.visit(host, visitContextOf(settings)), cancelAll: () => visits.cancelAll() };
  };
  return { openVisits, domain, settings, trouble, requests };
}

/** Takes the next task from the queue, as a worker does. */
async function takeTask(boss: PgBoss) {
  return await vi.waitFor(
    async () => {
      const [job] = await boss.fetch(TASKS);
      expect(job).toBeDefined();
      return job as NonNullable<typeof job>;
    },
    { timeout: 10_000 },
  );
}

const SILENT = { warn: () => undefined };
const worker = { name: 'liar', version: VERSION };
const nothingSent = { worker, exchanges: [], tlsExpires: null };

describe('a crawling process', () => {
  test('refuses a result that breaks the schema, and one for another host, with one line each', async () => {
    const { openVisits, trouble, domain } = await createHost();
    const boss = await openBoss();
    const visits = openVisits();
    const foreign = { url: 'https://other.example/', result: { kind: 'failure', failure: 'no-route', status: null } };
    for (const result of [
      { ...nothingSent, durationMs: 1.5 },
      { ...nothingSent, exchanges: [{ ...foreign, result: { ...foreign.result, ms: 1, bytes: 0 } }] },
    ]) {
      const visit = visits.visit();
      await boss.complete(TASKS, (await takeTask(boss)).id, result);
      await expect(visit).rejects.toMatchObject({ code: 'lost' });
    }
    expect(trouble).toEqual([
      expect.stringMatching(`^the visit of ${domain} is repeated: .*durationMs`),
      expect.stringMatching(`^the visit of ${domain} is repeated: .*https://other.example/ is not a URL of ${domain}$`),
    ]);
  });

  test('uses only the first result of a task, and none for a task that it did not send', async () => {
    const { openVisits, trouble } = await createHost();
    const boss = await openBoss();
    const visit = openVisits().visit();
    const { id } = await takeTask(boss);
    const unknown = await boss.send(TASKS, {});
    await boss.complete(TASKS, (await takeTask(boss)).id, { ...nothingSent, tlsExpires: 7 });
    await boss.complete(TASKS, id, nothingSent);
    await boss.complete(TASKS, id, { ...nothingSent, tlsExpires: 5 });
    expect(await visit).toEqual(nothingSent);
    expect(await boss.findJobs(TASKS, { id })).toEqual([]);
    await boss.deleteJob(TASKS, unknown ?? '');
    expect(trouble).toEqual([]);
  });

  test('sends a task only after another task for the same host has ended, even one of another crawling process', async () => {
    const { openVisits } = await createHost();
    const boss = await openBoss();
    const first = openVisits().visit();
    const { id } = await takeTask(boss);
    const second = openVisits().visit();
    // Enough for several attempts to send the task, 200 ms apart.
    await delay(1_200);
    expect(await boss.fetch(TASKS)).toEqual([]);
    await boss.complete(TASKS, id, nothingSent);
    expect(await first).toEqual(nothingSent);
    const next = await takeTask(boss);
    expect(next.id).not.toBe(id);
    await boss.complete(TASKS, next.id, nothingSent);
    expect(await second).toEqual(nothingSent);
  });

  test('gives up a visit as lost when its lease expires without a result, and ignores a late one', async () => {
    const { openVisits, trouble, domain } = await createHost({ budgetMs: 1_000 });
    const boss = await openBoss();
    const visit = openVisits().visit();
    const { id } = await takeTask(boss);
    await expect(visit).rejects.toMatchObject({ code: 'lost' });
    await boss.complete(TASKS, id, nothingSent);
    expect(trouble).toEqual([`the visit of ${domain} is repeated: its worker did not end it in time`]);
  });

  test('gives up a visit as lost when its task has left the engine', async () => {
    const { openVisits } = await createHost();
    const boss = await openBoss();
    const visit = openVisits().visit();
    visit.catch(() => undefined);
    await boss.deleteJob(TASKS, (await takeTask(boss)).id);
    await expect(visit).rejects.toMatchObject({ code: 'lost' });
  });
});

test('a worker that was frozen past its lease sends no further request and no result', async () => {
  let frozenMs = 0;
  const onRequest = () => {
    frozenMs = (LEASE_SECONDS + 5) * 1_000;
  };
  const { openVisits, settings, requests } = await createHost({ onRequest });
  const stop = new AbortController();
  const { guard } = createNetwork(settings, clocks);
  // A process notices a freeze only as a jump of its monotonic clock.
  const clock = () => performance.now() + frozenMs;
  const visited: unknown[] = [];
  const trouble: string[] = [];
  const ended = work({
    ...{ url: postgres.url, name: 'frozen', version: VERSION, concurrency: 1, guard, clock, signal: stop.signal },
    ...{ isHostAtFault: async () => true, isOnline: async () => true },
    visit: createVisitByTask(settings.network, clock),
    log: { warn: (message) => trouble.push(message) },
    onVisited: (task) => visited.push(task),
  });
  await expect(openVisits().visit()).rejects.toMatchObject({ code: 'lost' });
  stop.abort();
  await ended;
  expect(trouble).toEqual([expect.stringContaining('the deadline of the visit passed')]);
  expect(requests).toHaveLength(1);
  expect(visited).toEqual([]);
});

test('a worker of another version ends with an error that names both versions, and contacts no host', async () => {
  const { openVisits, settings, requests } = await createHost();
  const { ended } = startWorker(settings, 'old');
  const visit = openVisits('9.9.9').visit();
  visit.catch(() => undefined);
  await expect(ended).rejects.toThrow(
    `this worker has version ${VERSION}, the crawling process has version 9.9.9: install the same version on both`,
  );
  await expect(visit).rejects.toMatchObject({ code: 'not-visited' });
  expect(requests).toEqual([]);
});

test('a worker whose address guard forbids an address ends with an error that names it, and contacts no host', async () => {
  const { openVisits, settings, requests } = await createHost();
  const { ended } = startWorker({ ...settings, network: { ...settings.network, allow: [] } }, 'strict');
  const visit = openVisits().visit();
  visit.catch(() => undefined);
  await expect(ended).rejects.toThrow('this worker must not connect to 127.0.23.1');
  await expect(visit).rejects.toMatchObject({ code: 'not-visited' });
  expect(requests).toEqual([]);
});

test('a worker that is offline records no failure and waits, and another worker makes the visit', async () => {
  const { openVisits, settings, requests } = await createHost();
  // The offline worker reaches no IPv4 address and no DNS server.
  const network = { ...settings.network, localAddress: '::1', dnsServers: ['127.0.0.1:1'], dnsTimeoutMs: 50 };
  const offline = startWorker({ ...settings, network }, 'offline');
  const visits = openVisits();
  await expect(visits.visit()).rejects.toMatchObject({ code: 'not-visited', message: 'this machine is offline' });
  await expect.poll(() => offline.trouble).toEqual(['this machine is offline; no visit begins']);
  startWorker(settings, 'online');
  const { worker: by, exchanges } = await visits.visit();
  expect([by.name, exchanges.length, requests.length]).toEqual(['online', 2, 2]);
  expect(offline.visited).toEqual([]);
});

test('a worker refuses a task that has waited for more than a minute', async () => {
  const { openVisits, settings, requests } = await createHost();
  const boss = await openBoss();
  const visit = openVisits().visit();
  visit.catch(() => undefined);
  await vi.waitFor(async () => expect(await boss.findJobs(TASKS)).toHaveLength(1), { timeout: 5_000 });
  await boss
    .getDb()
    .executeSql(`update loopscout.job set created_on = now() - interval '61 seconds' where name = $1`, [TASKS]);
  startWorker(settings, 'west');
  await expect(visit).rejects.toMatchObject({
    ...{ code: 'not-visited', message: 'the task waited too long for a worker' },
  });
  expect(requests).toEqual([]);
});

test('visits survive a restart of PostgreSQL', async () => {
  const { openVisits, settings, trouble } = await createHost();
  const west = startWorker(settings, 'west');
  const visits = openVisits();
  expect((await visits.visit()).exchanges).toHaveLength(2);
  await postgres.stop();
  const visit = visits.visit();
  await expect(startWorker(settings, 'late').ended).rejects.toThrow('the job engine cannot be used');
  // A restart can be shorter than the polling interval, so both sides must notice the stop first.
  await vi.waitFor(
    () => {
      for (const messages of [trouble, west.trouble])
        expect(messages.join('\n')).toContain('the job engine does not answer');
    },
    { timeout: 30_000 },
  );
  await postgres.start();
  expect((await visit).exchanges).toHaveLength(2);
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
    const visits = new WorkerVisits({
      ...{ url, version: VERSION, budgetMs: 1_000, userAgent: 'Loopscout/0.0.0', now: Date.now },
      ...{ log: SILENT, store: { recordWorkers: () => undefined } },
    });
    const host = { domain: 'single.example' as Domain, addresses: [] };
    const error = await visits.visit(host, visitContext()).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'no-workers' });
    expect(String(error)).toMatch(/^VisitError: the job engine cannot be used: .+/);
    expect(String(error)).not.toContain('s3cr3t');
  }
});

test('a TLS connection to the engine requires a trusted certificate for its host name', async () => {
  const { port } = new URL(postgres.url);
  const urlOf = (host: string, options: string) => `postgres://loopscout@${host}:${port}/postgres?${options}`;
  const trusted = `sslmode=verify-full&sslrootcert=${postgres.caFile}`;
  const boss = await openEngine(urlOf('127.0.0.1', trusted), SILENT);
  onTestFinished(() => boss.stop({ graceful: false }));
  const { rows } = await boss.getDb().executeSql('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  expect(rows).toEqual([{ ssl: true }]);
  const errorOf = async (url: string) => await openEngine(url, SILENT).catch((error) => String(error));
  const prefix = 'EngineError: the job engine cannot be used: ';
  expect(await errorOf(urlOf('127.0.0.1', 'sslmode=verify-full'))).toContain(`${prefix}unable to verify`);
  expect(await errorOf(urlOf('localhost', trusted))).toContain(`${prefix}Hostname/IP does not match`);
});
