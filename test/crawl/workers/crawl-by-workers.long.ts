import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { createNetwork, visitContextOf } from '../../../src/app/network.ts';
import { openEngine, TASKS } from '../../../src/crawl/workers/engine.ts';
import type { VisitContext } from '../../../src/identify/visit-context.ts';
import { createLogger } from '../../../src/logger.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Crawler } from '../../../src/service/crawler.ts';
import { parseDomains } from '../../../src/settings/parse-domains.ts';
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
  const app: Crawler = await createApp(settings, createLogger({ level: 'warn', stream }));
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, log };
}

/** Direct access to the engine. */
async function openBoss() {
  const boss = await openEngine(postgres.url, { warn: () => undefined });
  onTestFinished(() => boss.stop({ graceful: false }));
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
    () => expect(reader.crawler.workers()).toMatchObject([{ name: 'east', version: VERSION, visits: 1, errors: 0 }]),
    { timeout: 30_000 },
  );
}, 30_000);

describe('a worker contacts only the visited host', () => {
  /** Returns a list that each connection of this process is added to: the local and the remote address. */
  function logConnections(): string[] {
    const connections: string[] = [];
    const onSocket = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.once('connect', () => connections.push(`${socket.localAddress} -> ${socket.remoteAddress}`));
    };
    diagnostics.subscribe('net.client.socket', onSocket);
    onTestFinished(() => void diagnostics.unsubscribe('net.client.socket', onSocket));
    return connections;
  }
  const [CRAWL, WORKER] = ['127.0.22.10', '127.0.22.11'];
  const [VISITED, ROBOTS, NODES] = ['127.0.22.1', '127.0.22.2', '127.0.22.3'];

  async function visitThreeHosts(parts: Partial<VisitContext>, nodesRobots?: string) {
    const { settings, domain, pathsRequestedFrom, requests } = await createThreeHosts(nodesRobots);
    const allConnections = logConnections();
    const from = (localAddress: string) => ({ ...settings, network: { ...settings.network, localAddress } });
    startWorkerOn(postgres.url, from(WORKER), 'west');
    const { identifier } = createNetwork(from(CRAWL), { ...clocks, engineUrl: postgres.url });
    onTestFinished(() => identifier.cancelAll());
    const resolved = await identifier.resolve(domain);
    if ('verdict' in resolved) throw new Error(`${domain} does not resolve`);
    const visit = await identifier.identify(resolved, visitContextOf(settings, parts));
    const connections = new Set(allConnections.filter((line) => line.includes('-> 127.0.22.')));
    return { visit, pathsRequestedFrom, requests, connections: [...connections].sort() };
  }

  test('and the crawling process the others, after it has allowed them', async () => {
    const { visit, connections, requests } = await visitThreeHosts({});
    expect(visit).toMatchObject({ verdict: 'loops' });
    // The robots.txt of another host has to be read first, so the crawling process ends the visit.
    expect(connections).toEqual([
      ...[`${CRAWL} -> ${VISITED}`, `${CRAWL} -> ${ROBOTS}`, `${CRAWL} -> ${NODES}`],
      `${WORKER} -> ${VISITED}`,
    ]);
    expect(requests).toHaveLength(new Set(requests).size);
  });

  test('and nobody those that have reached a limit', async () => {
    const { visit, connections } = await visitThreeHosts({ thirdParties: { mayContact: () => false } });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'third-party-limit' });
    expect(connections).toEqual([`${WORKER} -> ${VISITED}`]);
  });

  test('and nothing but robots.txt where that forbids the rest', async () => {
    const { visit, pathsRequestedFrom } = await visitThreeHosts({}, 'User-agent: *\nDisallow: /\n');
    expect(visit).not.toMatchObject({ verdict: 'loops' });
    expect(pathsRequestedFrom('nodes')).toEqual(['/robots.txt']);
  });
});

describe('a drained crawl ends within seconds', () => {
  /** A crawl of one domain without workers. */
  async function crawlWithoutWorkers() {
    const testNetwork = await createTestNetwork();
    const hostAndPort = await testNetwork.listen('waiting.example', '127.0.26.3', async () => null);
    const settings = testNetwork.settings({ engine: postgres.url });
    const { app, log } = await openApp(settings);
    app.store.domains.enter(parseDomains([hostAndPort], settings), Date.now());
    const drain = new AbortController();
    const ended = app.crawl({
      drain: drain.signal,
      signal: new AbortController().signal,
      onCompleted: () => undefined,
    });
    const boss = await openBoss();
    const tasks = () => boss.findJobs(TASKS, { key: 'waiting.example' });
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
