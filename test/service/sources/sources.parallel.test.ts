import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { crawlAndExport } from '../../../src/app/crawl-and-export.ts';
import { createLogger } from '../../../src/logger.ts';
import type { Crawler } from '../../../src/service/crawler.ts';
import type { SourceReport } from '../../../src/service/sources/run-source.ts';
import { Sources } from '../../../src/service/sources/sources.ts';
import { StoreError } from '../../../src/store/sqlite/store-error.ts';
import { createTestNetwork } from '../../create-test-network.ts';
import { refuseInserts } from '../../store/scratch.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });

/** A test network with a file of domains and lists whose responses the test completes. */
async function createSlowNetwork() {
  const testNetwork = await createTestNetwork();
  const seeds = join(testNetwork.folder, 'seeds.txt');
  writeFileSync(seeds, 'seed.example\n');
  const openResponses: ServerResponse[] = [];
  return {
    ...testNetwork,
    file: { type: 'file', path: seeds },
    openResponses,
    /** Serves a list that begins with `[`, and leaves the rest to the test. Returns its source settings. */
    async serveSlowList(number: number) {
      const host = await testNetwork.listen(`slow${number}.example`, `127.0.9.${number}`, async (path, _, response) => {
        if (!path.startsWith('/list')) return null;
        response.writeHead(200, { 'content-type': 'application/json' }).write('[');
        openResponses.push(response);
        await new Promise((resolve) => response.once('close', resolve));
        response.end();
        return null;
      });
      return { type: 'json', url: `https://${host}/list` };
    },
    /** Serves a complete list of one domain. Returns its source settings. */
    async serveQuickList(number: number) {
      const host = await testNetwork.listen(`quick${number}.example`, `127.0.10.${number}`, async (path) =>
        path === '/list' ? [`found${number}.example`] : null,
      );
      return { type: 'json', url: `https://${host}/list` };
    },
  };
}

/** The types of the sources whose last run has ended. */
function endedTypes(app: Crawler) {
  using reader = app.store.reader();
  return reader.sources.all().flatMap(({ type, lastRun }) => (lastRun?.outcome == null ? [] : [type]));
}

test('four slow lists block neither a quick list nor a file', async () => {
  const testNetwork = await createSlowNetwork();
  const slow = await Promise.all([1, 2, 3, 4].map(testNetwork.serveSlowList));
  const sources = [...slow, await testNetwork.serveQuickList(1), testNetwork.file];
  await using app = await createApp(testNetwork.settings({}, {}, { sources }), logger);
  const abort = new AbortController();
  const entered: number[] = [];
  const run = app.sources.open('due', abort.signal, (count) => entered.push(count));
  await run.local;
  // The slow lists stay open until the abort.
  await expect.poll(() => endedTypes(app).sort(), { interval: 10 }).toEqual(['file', 'json']);
  expect(entered).toEqual([1, 1]);
  await expect.poll(() => testNetwork.openResponses.length).toBe(4);
  abort.abort();
  const reports = await run.ended;
  expect(reports.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('partial'), 'complete', 'complete']);
});

test('local sources are read while all slots for remote sources are taken', async () => {
  const testNetwork = await createSlowNetwork();
  const slow = await Promise.all(Array.from({ length: 17 }, (_, index) => testNetwork.serveSlowList(index + 1)));
  const crawled = { type: 'crawled' };
  await using app = await createApp(
    testNetwork.settings({}, {}, { sources: [...slow, crawled, testNetwork.file] }),
    logger,
  );
  const abort = new AbortController();
  const run = app.sources.open('due', abort.signal);
  await run.local;
  expect(endedTypes(app).sort()).toEqual(['crawled', 'file']);
  await expect.poll(() => testNetwork.openResponses.length).toBe(16);
  // The next list takes the slot of the first that ends.
  testNetwork.openResponses[0]?.end(']');
  await expect.poll(() => testNetwork.openResponses.length).toBe(17);
  abort.abort();
  expect(await run.ended).toHaveLength(19);
});

/** The sources of an app whose online check is pending until `online` is resolved. Their clock advances whenever it is read. */
function createPendingSources(app: Crawler) {
  let time = Date.now();
  const online = Promise.withResolvers<boolean>();
  const sources = new Sources({
    ...{ settings: () => app.settings, store: app.store, now: () => time++, random: Math.random },
    http: { open: () => expect.fail('unexpected request') },
    selectHtml: () => expect.fail('unexpected page source'),
    isOnline: () => online.promise,
  });
  return { sources, online };
}

test('files are read before the online check is done', async () => {
  const testNetwork = await createSlowNetwork();
  const settings = testNetwork.settings({}, {}, { sources: [await testNetwork.serveQuickList(1), testNetwork.file] });
  await using app = await createApp(settings, logger);
  const { sources, online } = createPendingSources(app);
  const run = sources.open('due', new AbortController().signal);
  await expect.poll(() => endedTypes(app), { interval: 5 }).toEqual(['file']);
  online.resolve(false);
  const reports = (await run.ended).toSorted((a, b) => a.type.localeCompare(b.type));
  expect(reports).toMatchObject([
    { type: 'file', outcome: 'complete' },
    { type: 'json', outcome: 'failed' },
  ]);
});

test('a store error during the online check fails the run', async () => {
  const testNetwork = await createSlowNetwork();
  await using app = await createApp(
    testNetwork.settings({}, {}, { sources: [await testNetwork.serveQuickList(1), testNetwork.file] }),
    logger,
  );
  const { sources, online } = createPendingSources(app);
  refuseInserts(app.settings.database, 'source_runs');
  const run = sources.open('due', new AbortController().signal);
  await expect(run.local).rejects.toThrow('the disk is full');
  online.resolve(false);
  await expect(run.ended).rejects.toThrow('the disk is full');
});

test('other reads skip a source that is being read, without waiting for it', async () => {
  const testNetwork = await createSlowNetwork();
  await using app = await createApp(
    testNetwork.settings({}, {}, { sources: [await testNetwork.serveSlowList(1)] }),
    logger,
  );
  const abort = new AbortController();
  const reports: SourceReport[] = [];
  const run = app.sources.readLane('remote', 'due', abort.signal, { onReport: (report) => reports.push(report) });
  await expect.poll(() => testNetwork.openResponses.length).toBe(1);
  for (const which of ['due', 'all'] as const) expect(await app.sources.read(which, abort.signal)).toEqual([]);
  abort.abort();
  expect(await run).toMatchObject([{ outcome: 'partial' }]);
  expect(reports).toEqual(await run);
  expect(testNetwork.openResponses).toHaveLength(1);
});

test('pages that may have more than 4 MiB are read one at a time, in parallel with smaller ones', async () => {
  const testNetwork = await createTestNetwork();
  const concurrency = { large: 0, maxLarge: 0, max: 0, all: 0 };
  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (number) => {
      const host = await testNetwork.listen(`page${number}.example`, `127.0.12.${number}`, async (path) => {
        if (path !== '/') return null;
        const isLarge = number > 2;
        concurrency.all += 1;
        concurrency.large += isLarge ? 1 : 0;
        concurrency.max = Math.max(concurrency.max, concurrency.all);
        concurrency.maxLarge = Math.max(concurrency.maxLarge, concurrency.large);
        await expect.poll(() => concurrency.max).toBe(3);
        concurrency.all -= 1;
        concurrency.large -= isLarge ? 1 : 0;
        return [];
      });
      return { type: 'page', url: `https://${host}/`, maxBytes: number > 2 ? 4_194_305 : 4_194_304 };
    }),
  );
  await using app = await createApp(testNetwork.settings({}, {}, { sources: pages }), logger);
  expect(await app.sources.read('all', new AbortController().signal)).toHaveLength(4);
  expect([concurrency.maxLarge, concurrency.max]).toEqual([1, 3]);
});

/** The response of a Loops server. */
const loops = async (path: string) =>
  path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null;

test('a crawl visits the domains of files while lists are still being read, then the domains of the lists', async () => {
  const testNetwork = await createSlowNetwork();
  const [first, second] = [
    await testNetwork.listen('first.example', '127.0.11.1', loops),
    await testNetwork.listen('second.example', '127.0.11.2', loops),
  ];
  writeFileSync(testNetwork.file.path, first);
  const sources = [await testNetwork.serveSlowList(1), await testNetwork.serveSlowList(2), testNetwork.file];
  await using app = await createApp(
    testNetwork.settings({}, {}, { sources, contact: 'https://bot.example.org', export: { dir: 'export' } }),
    logger,
  );
  const visits: string[] = [];
  const { report, fault } = await crawlAndExport(app, {
    signal: new AbortController().signal,
    visits: {
      push({ domain }) {
        visits.push(domain);
        // Each list continues after the domains before it were visited.
        if (domain === first) testNetwork.openResponses[0]?.end(`"${second}"]`);
        else testNetwork.openResponses[1]?.end('"third.example"]');
        return visits.length;
      },
    },
  });
  expect(fault).toBeNull();
  expect(visits).toEqual([first, second, 'third.example']);
  expect(report).toMatchObject({ end: 'done', visited: 3, domains: { known: 3, due: 0, listed: 2 } });
  expect(report.sources.map(({ outcome, entered }) => [outcome, entered])).toEqual([
    ['complete', 1],
    ['complete', 1],
    ['complete', 1],
  ]);
});

test('a crawl that ends early (stopped, offline or on a fault) also ends its source runs and reports them', async () => {
  const testNetwork = await createSlowNetwork();
  const sources = [await testNetwork.serveSlowList(1), testNetwork.file];
  const settings = testNetwork.settings(
    {},
    {},
    { sources, contact: 'https://bot.example.org', export: { dir: 'export' } },
  );
  const ends = ['offline', 'stopped', 'fault'] as const;
  for (const end of ends) {
    await using app = await createApp(settings, logger);
    const abort = new AbortController();
    app.crawl = async () => {
      await expect.poll(() => testNetwork.openResponses.length, { interval: 5 }).toBe(1 + ends.indexOf(end));
      if (end === 'fault') throw new StoreError('disk-full', 'x.sqlite', 'is full');
      if (end === 'stopped') abort.abort();
      return end;
    };
    const { report, fault } = await crawlAndExport(app, {
      sources: 'all',
      signal: abort.signal,
    });
    expect([report.end, report.export]).toEqual([end === 'fault' ? 'stopped' : end, null]);
    expect(fault?.message ?? null).toEqual(end === 'fault' ? expect.stringContaining('is full') : null);
    expect(report.sources.map(({ outcome }) => outcome).filter((outcome) => outcome === 'partial')).toHaveLength(1);
  }
});

test('an unreadable file ends a crawl before any visit, after the lists were read', async () => {
  const testNetwork = await createSlowNetwork();
  const sources = [
    await testNetwork.serveQuickList(1),
    { type: 'file', path: join(testNetwork.folder, 'missing.txt') },
  ];
  const options = { sources, contact: 'https://bot.example.org', export: { dir: 'export' } };
  await using app = await createApp(testNetwork.settings({}, {}, options), logger);
  const { signal } = new AbortController();
  await expect(crawlAndExport(app, { signal })).rejects.toThrow('no such file');
  using reader = app.store.reader();
  expect(reader.visits.lastId()).toBe(0);
  expect(endedTypes(app).sort()).toEqual(['file', 'json']);
});
