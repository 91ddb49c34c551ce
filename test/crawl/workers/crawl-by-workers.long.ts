import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type App, createApp, createLogger, parseDomains } from '../../../src/app/app.ts';
import { createNetwork, type NetworkParts } from '../../../src/app/network.ts';
import { nameResultsQueue, openEngine, SCHEMA, TASKS } from '../../../src/crawl/workers/engine.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { VERSION } from '../../../src/version.ts';
import { createTestNetwork } from '../../create-test-network.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { createThreeHosts } from './compare-visits.ts';
import { startWorkerOn } from './start-worker.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres[Symbol.asyncDispose]());

const clocks = { now: Date.now, clock: () => performance.now() };

/** An app that sends its visits to workers. */
async function openApp(settings: Settings) {
  const log: { level: number; msg: string }[] = [];
  const stream = { write: (line: string) => log.push(JSON.parse(line)) } as unknown as NodeJS.WritableStream;
  const app: App = await createApp(settings, createLogger({ level: 'warn', stream }));
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, log };
}

/** Direct access to the engine. */
async function openBoss() {
  const { boss, close } = await openEngine(postgres.url, () => undefined);
  onTestFinished(() => close());
  return boss;
}

test('the visits of each worker are counted in the database', async () => {
  const testNetwork = await createTestNetwork();
  const hostAndPort = await testNetwork.listen('counted.example', '127.0.26.1', async () => null);
  const settings = testNetwork.settings({ engine: postgres.url });
  const [domain] = parseDomains([hostAndPort], settings) as [Domain];
  const { app, log } = await openApp(settings);
  startWorkerOn(postgres.url, settings, 'east');
  const crawl = { only: [domain], signal: new AbortController().signal, onCompleted: () => undefined };
  expect(await app.crawl(crawl)).toBe('done');
  expect(log).toEqual([]);
  using reader = app.store.reader();
  await vi.waitFor(
    () => expect(reader.workers()).toMatchObject([{ name: 'east', version: VERSION, visits: 1, errors: 0 }]),
    { timeout: 30_000 },
  );
}, 30_000);

describe('a worker contacts a third-party host', () => {
  /** Returns a list that each address is added to when this process connects to it as a client. */
  function logConnections(): string[] {
    const connections: string[] = [];
    const onSocket = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.once('connect', () => connections.push(socket.remoteAddress ?? ''));
    };
    diagnostics.subscribe('net.client.socket', onSocket);
    onTestFinished(() => void diagnostics.unsubscribe('net.client.socket', onSocket));
    return connections;
  }
  const [VISITED, ROBOTS, NODES] = ['127.0.22.1', '127.0.22.2', '127.0.22.3'];

  async function visitThreeHosts(parts: (connections: string[]) => Partial<NetworkParts>, nodesRobots?: string) {
    const { settings, domain, pathsRequestedFrom, requests } = await createThreeHosts(nodesRobots);
    const allConnections = logConnections();
    startWorkerOn(postgres.url, settings, 'west');
    const { identifier } = createNetwork(settings, { ...clocks, engineUrl: postgres.url, ...parts(allConnections) });
    onTestFinished(() => identifier.cancelAll());
    const resolved = await identifier.resolve(domain);
    const visit = 'verdict' in resolved ? resolved : await identifier.identify(resolved);
    const connections = new Set(allConnections.filter((address) => address.startsWith('127.0.22.')));
    return { visit, pathsRequestedFrom, requests, connections: [...connections].sort() };
  }

  test('only after the crawling process has allowed it', async () => {
    const allowed: (string | undefined)[] = [];
    const { visit, connections, requests } = await visitThreeHosts((connectionsSoFar) => ({
      mayContactHost: (_url, _domain, [first]) => {
        expect(connectionsSoFar).not.toContain(first?.address);
        allowed.push(first?.address);
        return true;
      },
    }));
    expect(visit).toMatchObject({ verdict: 'loops' });
    expect(allowed).toEqual([ROBOTS, NODES]);
    expect(connections).toEqual([VISITED, ROBOTS, NODES]);
    // A continuation repeats no request.
    expect(requests).toHaveLength(new Set(requests).size);
  });

  test('not when it has opted out, or has reached a limit', async () => {
    const { visit, connections } = await visitThreeHosts(() => ({
      isOptedOut: (host) => host.startsWith('robots.other.example'),
      mayContactHost: ({ hostname }) => hostname !== 'nodes.example',
    }));
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'href-refused' });
    expect(connections).toEqual([VISITED]);
  });

  test('only for its robots.txt when that forbids the rest', async () => {
    const { visit, pathsRequestedFrom } = await visitThreeHosts(() => ({}), 'User-agent: *\nDisallow: /\n');
    expect(visit).not.toMatchObject({ verdict: 'loops' });
    expect(pathsRequestedFrom('nodes')).toEqual(['/robots.txt']);
  });
});

test('a starting crawling process removes the results queues of killed ones, and keeps those of the others', async () => {
  const boss = await openBoss();
  const settings = (await createTestNetwork()).settings({});
  const abandonedQueue = nameResultsQueue();
  await boss.createQueue(abandonedQueue);
  const resultsQueues = async () => (await boss.getQueues()).map(({ name }) => name).filter((name) => name !== TASKS);
  expect(await resultsQueues()).toContain(abandonedQueue);
  const startCrawl = () => {
    const { identifier } = createNetwork(settings, { ...clocks, engineUrl: postgres.url });
    onTestFinished(() => identifier.cancelAll());
    // Without a worker the visit waits.
    void identifier
      .identify({ builder: { domain: 'a.example', steps: [], host: {} } as never, addresses: [] })
      .catch(() => undefined);
  };
  startCrawl();
  await vi.waitFor(async () => expect(await resultsQueues()).not.toContain(abandonedQueue), { timeout: 30_000 });
  const [firstQueue] = await resultsQueues();
  startCrawl();
  await vi.waitFor(async () => expect(await resultsQueues()).toHaveLength(2), { timeout: 30_000 });
  expect(await resultsQueues()).toContain(firstQueue);
});

describe('a drained crawl ends within seconds', () => {
  /** A crawl of one domain without workers. */
  async function crawlWithoutWorkers() {
    const testNetwork = await createTestNetwork();
    const hostAndPort = await testNetwork.listen('waiting.example', '127.0.26.3', async () => null);
    const settings = testNetwork.settings({ engine: postgres.url });
    const { app, log } = await openApp(settings);
    app.store.enter(parseDomains([hostAndPort], settings), Date.now());
    const drain = new AbortController();
    const ended = app.crawl({
      drain: drain.signal,
      signal: new AbortController().signal,
      onCompleted: () => undefined,
    });
    const boss = await openBoss();
    const tasks = async () => {
      const sql = `select id from ${SCHEMA}.job where name = $1 and singleton_key = 'waiting.example'`;
      return (await boss.getDb().executeSql(sql, [TASKS])).rows;
    };
    await vi.waitFor(async () => expect(await tasks()).toHaveLength(1), { timeout: 30_000 });
    const drainCrawl = async () => {
      drain.abort();
      expect(await ended).toBe('stopped');
      // In pino, 50 is error.
      expect(log.filter(({ level }) => level >= 50)).toEqual([]);
    };
    return { drainCrawl, tasks, log };
  }

  test('when no worker has begun the visits, and their tasks leave the engine', async () => {
    const { drainCrawl, tasks } = await crawlWithoutWorkers();
    await drainCrawl();
    expect(await tasks()).toEqual([]);
  });

  // This must be the last test, because PostgreSQL stays stopped.
  test('when the engine does not answer', async () => {
    const { drainCrawl, log } = await crawlWithoutWorkers();
    await postgres.stop();
    await vi.waitFor(() => expect(log.map(({ msg }) => msg).join()).toContain('the job engine does not answer'), {
      timeout: 30_000,
    });
    await drainCrawl();
  });
});
