import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type App, createApp, createLogger, type SourceReport } from '../../../src/app/app.ts';
import { crawlOnce } from '../../../src/commands/output/crawl-report.ts';
import { createSources } from '../../../src/service/sources/sources.ts';
import { StoreError } from '../../../src/store/sqlite/store-error.ts';
import { createWorld } from '../../create-world.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });

/** A world with a file of domains, and lists that begin at once and go on when they are told to. */
async function createSlowWorld() {
  const world = await createWorld();
  const seeds = join(world.folder, 'seeds.txt');
  writeFileSync(seeds, 'seed.example\n');
  const begun: ServerResponse[] = [];
  return {
    ...world,
    file: { type: 'file', path: seeds },
    begun,
    /** The settings of a list whose server says no more than `[`, and leaves the rest to the test. */
    async slow(number: number) {
      const host = await world.listen(`slow${number}.example`, `127.0.9.${number}`, async (path, _, response) => {
        if (!path.startsWith('/list')) return null;
        response.writeHead(200, { 'content-type': 'application/json' }).write('[');
        begun.push(response);
        await new Promise((resolve) => response.once('close', resolve));
        response.end();
        return null;
      });
      return { type: 'json', url: `https://${host}/list` };
    },
    async quick(number: number) {
      const host = await world.listen(`quick${number}.example`, `127.0.10.${number}`, async (path) =>
        path === '/list' ? [`found${number}.example`] : null,
      );
      return { type: 'json', url: `https://${host}/list` };
    },
  };
}

function outcomes(app: App) {
  using reader = app.store.reader();
  return reader.sourceStates().flatMap(({ type, lastRun }) => (lastRun?.outcome == null ? [] : [type]));
}

test('four lists that drip hold up neither a quick one nor a file', async () => {
  const world = await createSlowWorld();
  const slow = await Promise.all([1, 2, 3, 4].map(world.slow));
  const sources = [...slow, await world.quick(1), world.file];
  await using app = await createApp(world.settings({}, {}, { sources }), logger);
  const abort = new AbortController();
  const startedAt = performance.now();
  const entered: number[] = [];
  const reading = app.sources.open('due', abort.signal, (count) => entered.push(count));
  await reading.local;
  await expect.poll(() => outcomes(app).sort(), { interval: 10, timeout: 1_000 }).toEqual(['file', 'json']);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(entered).toEqual([1, 1]);
  await expect.poll(() => world.begun.length).toBe(4);
  abort.abort();
  const reports = await reading.ended;
  expect(reports.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('partial'), 'complete', 'complete']);
});

test('files are in, and what asks nobody, while every place on the web is taken', async () => {
  const world = await createSlowWorld();
  const slow = await Promise.all(Array.from({ length: 17 }, (_, index) => world.slow(index + 1)));
  const crawled = { type: 'crawled' };
  await using app = await createApp(world.settings({}, {}, { sources: [...slow, crawled, world.file] }), logger);
  const abort = new AbortController();
  const reading = app.sources.open('due', abort.signal);
  await reading.local;
  expect(outcomes(app).sort()).toEqual(['crawled', 'file']);
  await expect.poll(() => world.begun.length).toBe(16);
  // The next one has the place of the first that ends.
  world.begun[0]?.end(']');
  await expect.poll(() => world.begun.length).toBe(17);
  abort.abort();
  expect(await reading.ended).toHaveLength(19);
});

/** The sources of an app in a world of which it is not known yet whether it can be reached. */
function untilOnline(app: App) {
  const online = Promise.withResolvers<boolean>();
  const sources = createSources({
    ...{ settings: () => app.settings, store: app.store, now: Date.now, random: Math.random },
    http: { open: () => expect.fail('nobody is asked') },
    selectHtml: () => expect.fail('there is no page'),
    isOnline: () => online.promise,
  });
  return { sources, online };
}

test('files are read before it is known whether we are online', { retry: 1 }, async () => {
  const world = await createSlowWorld();
  const settings = world.settings({}, {}, { sources: [await world.quick(1), world.file] });
  await using app = await createApp(settings, logger);
  const { sources, online } = untilOnline(app);
  const reading = sources.open('due', new AbortController().signal);
  await expect.poll(() => outcomes(app), { interval: 5 }).toEqual(['file']);
  online.resolve(false);
  const reports = (await reading.ended).toSorted((one, other) => one.type.localeCompare(other.type));
  expect(reports).toMatchObject([
    { type: 'file', outcome: 'complete' },
    { type: 'json', outcome: 'failed' },
  ]);
});

test('a store that fails while it is found out whether we are online is the end of the run', async () => {
  const world = await createSlowWorld();
  await using app = await createApp(world.settings({}, {}, { sources: [await world.quick(1), world.file] }), logger);
  const { sources, online } = untilOnline(app);
  const broken = Promise.withResolvers<void>();
  app.store.beginRun = () => {
    broken.resolve();
    throw new StoreError('disk-full', 'x.sqlite', 'cannot be written');
  };
  const reading = sources.open('due', new AbortController().signal);
  await broken.promise;
  online.resolve(false);
  await expect(reading.local).rejects.toThrow('cannot be written');
  await expect(reading.ended).rejects.toThrow('cannot be written');
});

test('what is being read is not read a second time, nor waited for', async () => {
  const world = await createSlowWorld();
  await using app = await createApp(world.settings({}, {}, { sources: [await world.slow(1)] }), logger);
  const abort = new AbortController();
  const reports: SourceReport[] = [];
  const reading = app.sources.readLane('remote', 'due', abort.signal, { onReport: (report) => reports.push(report) });
  await expect.poll(() => world.begun.length).toBe(1);
  for (const which of ['due', 'all'] as const) expect(await app.sources.read(which, abort.signal)).toEqual([]);
  abort.abort();
  expect(await reading).toMatchObject([{ outcome: 'partial' }]);
  expect(reports).toEqual(await reading);
  expect(world.begun).toHaveLength(1);
});

test('pages of more than 4 MB are read one at a time, others meanwhile', async () => {
  const world = await createWorld();
  const now = { large: 0, mostLarge: 0, most: 0, all: 0 };
  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (number) => {
      const host = await world.listen(`page${number}.example`, `127.0.12.${number}`, async (path) => {
        if (path !== '/') return null;
        const isLarge = number > 2;
        now.all += 1;
        now.large += isLarge ? 1 : 0;
        now.most = Math.max(now.most, now.all);
        now.mostLarge = Math.max(now.mostLarge, now.large);
        await new Promise((resolve) => setTimeout(resolve, 100));
        now.all -= 1;
        now.large -= isLarge ? 1 : 0;
        return [];
      });
      return { type: 'page', url: `https://${host}/`, maxBytes: number > 2 ? 4_194_305 : 4_194_304 };
    }),
  );
  await using app = await createApp(world.settings({}, {}, { sources: pages }), logger);
  expect(await app.sources.read('all', new AbortController().signal)).toHaveLength(4);
  expect([now.mostLarge, now.most]).toEqual([1, 3]);
});

/** Answers as a Loops server does. */
const loops = async (path: string) =>
  path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null;

test('a pass visits what files name while a list is still being read, then what that brings, and ends with both', async () => {
  const world = await createSlowWorld();
  const [first, second] = [
    await world.listen('first.example', '127.0.11.1', loops),
    await world.listen('second.example', '127.0.11.2', loops),
  ];
  writeFileSync(world.file.path, first);
  const sources = [await world.slow(1), await world.slow(2), world.file];
  await using app = await createApp(
    world.settings({}, {}, { sources, contact: 'https://bot.example.org', export: { dir: 'export' } }),
    logger,
  );
  const visits: string[] = [];
  const { report, fault } = await crawlOnce(app, {
    stderr: new PassThrough(),
    signal: new AbortController().signal,
    onVisit({ domain }) {
      visits.push(domain);
      // Each list goes on when what came before it was visited.
      if (domain === first) world.begun[0]?.end(`"${second}"]`);
      else world.begun[1]?.end('"third.example"]');
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

test('a pass that ends early, for us, because we are offline or on a fault, ends the reading too, and tells what it came to', async () => {
  const world = await createSlowWorld();
  const sources = [await world.slow(1), world.file];
  const settings = world.settings({}, {}, { sources, contact: 'https://bot.example.org', export: { dir: 'export' } });
  const ends = ['offline', 'stopped', 'fault'] as const;
  for (const end of ends) {
    await using app = await createApp(settings, logger);
    const abort = new AbortController();
    app.crawl = async () => {
      await expect.poll(() => world.begun.length, { interval: 5 }).toBe(1 + ends.indexOf(end));
      if (end === 'fault') throw new StoreError('disk-full', 'x.sqlite', 'is full');
      if (end === 'stopped') abort.abort();
      return end;
    };
    const { report, fault } = await crawlOnce(app, {
      sources: 'all',
      stderr: new PassThrough(),
      signal: abort.signal,
    });
    expect([report.end, report.export]).toEqual([end === 'fault' ? 'stopped' : end, null]);
    expect(fault?.message ?? null).toEqual(end === 'fault' ? expect.stringContaining('is full') : null);
    expect(report.sources.map(({ outcome }) => outcome).filter((one) => one === 'partial')).toHaveLength(1);
  }
});

test('a file that cannot be read ends a pass before anybody is visited, once the lists were read', async () => {
  const world = await createSlowWorld();
  const sources = [await world.quick(1), { type: 'file', path: join(world.folder, 'missing.txt') }];
  const more = { sources, contact: 'https://bot.example.org', export: { dir: 'export' } };
  await using app = await createApp(world.settings({}, {}, more), logger);
  const { signal } = new AbortController();
  await expect(crawlOnce(app, { stderr: new PassThrough(), signal })).rejects.toThrow('no such file');
  using reader = app.store.reader();
  expect(reader.completedVisits()).toBe(0);
  expect(outcomes(app).sort()).toEqual(['file', 'json']);
});
