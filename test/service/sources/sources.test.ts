import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp, createLogger, parseDomains } from '../../../src/app/app.ts';
import { compareSource } from '../../../src/app/compare.ts';
import { sourcesText } from '../../../src/commands/output/source-tables.ts';
import { listSources } from '../../../src/service/sources/source-overview.ts';
import { createSources } from '../../../src/service/sources/sources.ts';
import { openReader } from '../../../src/store/open-reader.ts';
import type { RunEnd } from '../../../src/store/sources/source-state.ts';
import { StoreError } from '../../../src/store/sqlite/store-error.ts';
import { createWorld } from '../../create-world.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
const { signal } = new AbortController();
const HOUR = 3_600_000;

const failedRun: RunEnd = {
  outcome: 'failed',
  ...{ why: null, etag: null, lastModified: null, requests: 0, bytes: 0 },
  ...{ lines: 0, refused: 0, refusedByReason: {}, merged: 0 },
};

/** A world with a server that lists hosts in JSON, and says by a tag whether they changed. */
async function createListing() {
  const world = await createWorld();
  const list = {
    hosts: ['a.example', 'b.example'] as unknown[],
    tag: '"1"',
    status: 200,
    retryAfter: null as string | null,
    /** The answer is held back for this. */
    until: Promise.resolve() as Promise<unknown>,
  };
  const asked: { path: string; condition: string | undefined }[] = [];
  const host = await world.listen('list.example', '127.0.6.1', async (path, request, response) => {
    if (path !== '/hosts.json') return null;
    asked.push({ path, condition: request.headers['if-none-match'] });
    await list.until;
    response.setHeader('etag', list.tag);
    if (list.retryAfter !== null) response.setHeader('retry-after', list.retryAfter);
    response.statusCode = list.status;
    if (request.headers['if-none-match'] === list.tag) response.statusCode = 304;
    return response.statusCode === 200 ? list.hosts : null;
  });
  const url = `https://${host}/hosts.json`;
  const settings = (entry: object = {}, more: object = {}) =>
    world.settings({}, {}, { sources: [{ type: 'json', url, ...entry }], ...more });
  return { ...world, list, asked, url, host, settings };
}

test('a list is read once in its time, and then only if it changed', async () => {
  const { list, asked, settings } = await createListing();
  let at = Date.now();
  await using app = await createApp(settings(), logger, { now: () => at });
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete', entered: 2, known: 0 }]);
  expect(await app.sources.read('due', signal)).toEqual([]);
  at += 24 * HOUR;
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'unchanged', entered: 0, lines: 0 }]);
  at += 24 * HOUR;
  // The tag is kept over an answer that nothing changed.
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'unchanged' }]);
  list.hosts.push('c.example');
  list.tag = '"2"';
  at += 24 * HOUR;
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete', entered: 1, known: 2 }]);
  expect(asked.map(({ condition }) => condition)).toEqual([undefined, '"1"', '"1"', '"1"']);
});

test('with other settings an unchanged list is read again, and so it is when asked for afresh', async () => {
  const { asked, settings } = await createListing();
  const read = async (which: 'all' | 'fresh', entry: object) => {
    await using app = await createApp(settings(entry), logger);
    const [report] = await app.sources.read(which, signal);
    return report?.outcome;
  };
  expect(await read('all', { id: 'list' })).toBe('complete');
  expect(await read('all', { id: 'list' })).toBe('unchanged');
  expect(await read('all', { id: 'list', most: 5 })).toBe('complete');
  expect(await read('fresh', { id: 'list', most: 5 })).toBe('complete');
  expect(asked).toHaveLength(4);
});

test('what waited outside the limit of a source is entered later, though the list has not changed', async () => {
  const { settings } = await createListing();
  await using app = await createApp(settings({ most: 1 }), logger);
  expect(await app.sources.read('all', signal)).toMatchObject([{ entered: 1, queueFull: 1 }]);
  await app.crawl({ signal, onCompleted: () => undefined });
  expect(await app.sources.read('all', signal)).toMatchObject([
    { outcome: 'complete', entered: 1, known: 1, queueFull: 0 },
  ]);
});

test('a list that fails is tried again in an hour, then in two, and others are read meanwhile', async () => {
  const { list, asked, settings, folder, url } = await createListing();
  writeFileSync(join(folder, 'seeds.txt'), 'seed.example\n');
  list.status = 500;
  let at = Date.now();
  const sources = [
    { type: 'json', url },
    { type: 'file', path: join(folder, 'seeds.txt') },
  ];
  await using app = await createApp(settings({}, { sources }), logger, { now: () => at });
  const [failed, seeds] = await app.sources.read('due', signal);
  expect([failed?.outcome, failed?.why, seeds?.entered]).toEqual(['failed', expect.stringContaining('500'), 1]);
  const triedAfter = async (minutes: number) => {
    at += minutes * 60_000;
    const before = asked.length;
    await app.sources.read('due', signal);
    return asked.length > before;
  };
  expect(await triedAfter(59)).toBe(false);
  expect(await triedAfter(1)).toBe(true);
  expect(await triedAfter(119)).toBe(false);
  list.status = 200;
  expect(await triedAfter(1)).toBe(true);
  expect(await triedAfter(23 * 60)).toBe(false);
});

test('a source that asks to be left alone is, by the process that comes after too, and for thirty days at most', async () => {
  const { list, asked, settings } = await createListing();
  let at = Date.now();
  const askedAfter = async (hours: number) => {
    at += hours * HOUR;
    const before = asked.length;
    await using app = await createApp(settings(), logger, { now: () => at });
    await app.sources.read('due', signal);
    const [told] = listSources(app.settings, at);
    return { isAsked: asked.length > before, nextInHours: (Date.parse(told?.nextRead ?? '') - at) / HOUR };
  };
  Object.assign(list, { status: 429, retryAfter: '18000' });
  expect(await askedAfter(0)).toEqual({ isAsked: true, nextInHours: 5 });
  expect(await askedAfter(4.9)).toMatchObject({ isAsked: false });
  list.retryAfter = '999999999';
  expect(await askedAfter(0.1)).toEqual({ isAsked: true, nextInHours: 30 * 24 });
  expect(await askedAfter(30 * 24 - 1)).toMatchObject({ isAsked: false });
  list.status = 200;
  // What goes well says nothing of being left alone, whatever else the server says.
  expect(await askedAfter(1)).toEqual({ isAsked: true, nextInHours: 24 });
});

test('a list that asks to be left alone half-way is, and a clock that was ahead does not lengthen it', async () => {
  const world = await createWorld();
  const host = await world.listen('list.example', '127.0.6.1', async (path, _, response) => {
    if (path === '/list?page=1') return { hosts: ['a.example'] };
    if (path !== '/list?page=2') return null;
    response.writeHead(429, { 'retry-after': '18000' }).end();
    return null;
  });
  const next = { by: 'page', parameter: 'page', first: 1 };
  const entry = { type: 'json', url: `https://${host}/list`, hosts: 'hosts.*', next, pauseSeconds: 0 };
  const settings = world.settings({}, {}, { sources: [entry] });
  let at = Date.now() + 90 * 24 * HOUR;
  await using app = await createApp(settings, logger, { now: () => at });
  expect(await app.sources.read('due', signal)).toMatchObject([
    { outcome: 'partial', why: 'answers with status 429', entered: 1 },
  ]);
  at += 4 * HOUR;
  expect(await app.sources.read('due', signal)).toEqual([]);
  at -= 90 * 24 * HOUR;
  expect(await app.sources.read('due', signal)).toHaveLength(1);
});

test('of two processes that would read a source at once the second does not ask, and says so', async () => {
  const { list, asked, settings, folder, url } = await createListing();
  writeFileSync(join(folder, 'seeds.txt'), 'seed.example\n');
  const both = settings({}, { sources: [{ type: 'json', url }] });
  const answer = Promise.withResolvers<void>();
  list.until = answer.promise;
  await using first = await createApp(both, logger);
  await using second = await createApp(both, logger);
  const reading = first.sources.read('all', signal);
  await expect.poll(() => asked.length).toBe(1);
  const elsewhere = { outcome: 'under-way', why: 'skipped because another process is reading it', requests: 0 };
  for (const which of ['all', 'due', 'fresh'] as const)
    expect(await second.sources.read(which, signal), which).toMatchObject([elsewhere]);
  expect(asked).toHaveLength(1);
  expect(listSources(both, Date.now())).toMatchObject([{ lastRun: { outcome: null } }]);
  answer.resolve();
  expect(await reading).toMatchObject([{ outcome: 'complete', entered: 2 }]);
  expect(await second.sources.read('due', signal)).toEqual([]);
  expect(await second.sources.read('all', signal)).toMatchObject([{ outcome: 'unchanged' }]);
});

test('a process that was stopped for longer than a reading may last finds its source taken over, and writes nothing', async () => {
  const { list, asked, settings } = await createListing();
  const answer = Promise.withResolvers<void>();
  list.until = answer.promise;
  await using first = await createApp(settings({ maxMinutes: 1 }), logger);
  const reading = first.sources.read('all', signal);
  await expect.poll(() => asked.length).toBe(1);
  let at = Date.now() + 10 * 60_000;
  await using second = await createApp(settings({ maxMinutes: 1 }), logger, { now: () => at });
  expect(await second.sources.read('all', signal)).toMatchObject([{ outcome: 'under-way' }]);
  at += 61_000;
  const over = second.sources.read('all', signal);
  await expect.poll(() => asked.length).toBe(2);
  answer.resolve();
  expect(await over).toMatchObject([{ outcome: 'complete', entered: 2 }]);
  expect(await reading).toMatchObject([
    { outcome: 'under-way', why: 'the run took too long, and another process took it over', entered: 0 },
  ]);
  using reader = second.store.reader();
  const [state] = reader.sourceStates();
  expect([...reader.sourceRuns(state?.key ?? '')].map(({ outcome }) => outcome)).toEqual(['complete', 'broken']);
});

test('a file that another process was reading is read when that has ended', async () => {
  const { settings, folder } = await createListing();
  const path = join(folder, 'seeds.txt');
  writeFileSync(path, 'seed.example\n');
  await using first = await createApp(settings({}, { sources: [{ type: 'file', path }] }), logger);
  await using second = await createApp(first.settings, logger);
  const run = first.store.beginRun({ key: `file ${path}`, type: 'file', label: path }, Date.now());
  expect(await second.sources.read('due', signal)).toMatchObject([{ outcome: 'under-way' }]);
  first.store.endRun(run ?? 0, { ...failedRun, why: 'it broke' }, Date.now());
  expect(await second.sources.read('due', signal)).toMatchObject([{ outcome: 'complete', entered: 1 }]);
});

test('a file is read again when it changes, and one that is missing is told once the others were read', async () => {
  const { settings, folder, url } = await createListing();
  const path = join(folder, 'seeds.txt');
  writeFileSync(path, 'one.example\n');
  const sources = [
    { type: 'file', path },
    { type: 'json', url },
  ];
  await using app = await createApp(settings({}, { sources }), logger);
  await app.sources.read('due', signal);
  expect(await app.sources.read('due', signal)).toEqual([]);
  appendFileSync(path, 'two.example\n');
  expect(await app.sources.read('due', signal)).toMatchObject([{ entered: 1, known: 1 }]);
  rmSync(path);
  await expect(app.sources.read('all', signal)).rejects.toThrow('no such file');
  using reader = app.store.reader();
  const outcomes = reader.sourceStates().map(({ type, lastRun }) => [type, lastRun?.outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({ file: 'failed', json: 'unchanged' });
});

test('a list that moved, and one that is switched off, no longer count among those that list an instance', async () => {
  const { listen, settings, folder } = await createWorld();
  const instance = await listen('loops.example', '127.0.6.1', async (path) =>
    path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' } } : null,
  );
  const listed = async (...entries: [name: string, enabled: boolean][]) => {
    const sources = entries.map(([name, enabled]) => ({ type: 'file', path: join(folder, name), enabled }));
    await using app = await createApp(settings({}, {}, { sources }), logger);
    await app.sources.read('due', signal);
    await app.crawl({ signal, onCompleted: () => undefined });
    using reader = app.store.reader();
    return [...reader.memberships()].map((membership) => membership.sources);
  };
  const on = (name: string): [string, boolean] => [name, true];
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(folder, name), `${instance}\n`);
  // Sources are numbered in the order in which their first runs began, which is either.
  const [both] = await listed(on('a.txt'), on('c.txt'));
  expect(both).toEqual(['file-1', 'file-2']);
  const [moved] = await listed(on('b.txt'), on('c.txt'));
  expect(moved).toHaveLength(2);
  expect(moved).toContain('file-3');
  expect(await listed(on('b.txt'), ['c.txt', false])).toEqual([['file-3']]);
  expect(await listed(on('a.txt'), on('c.txt'))).toEqual([both]);
});

test('a file that was read in vain, since the database could not be written, is read again', async () => {
  const { settings, folder } = await createListing();
  const path = join(folder, 'seeds.txt');
  writeFileSync(path, 'seed.example\n');
  await using app = await createApp(settings({}, { sources: [{ type: 'file', path }] }), logger);
  const { beginRun } = app.store;
  app.store.beginRun = () => {
    throw new StoreError('disk-full', 'x.sqlite', 'cannot be written');
  };
  await expect(app.sources.read('due', signal)).rejects.toThrow('cannot be written');
  app.store.beginRun = beginRun;
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete', entered: 1 }]);
  expect(await app.sources.read('due', signal)).toEqual([]);
});

test('what is called off before it begins is not begun, and not recorded', async () => {
  const { settings, asked } = await createListing();
  await using app = await createApp(settings(), logger);
  expect(await app.sources.readLane('remote', 'all', AbortSignal.abort())).toEqual([]);
  await expect(app.sources.read('all', AbortSignal.abort())).rejects.toHaveProperty('name', 'AbortError');
  using reader = app.store.reader();
  expect([reader.sourceStates(), asked]).toEqual([[], []]);
});

test('whether we are online is asked when somebody is to be asked, and only then', async () => {
  const { settings, folder } = await createListing();
  const path = join(folder, 'seeds.txt');
  writeFileSync(path, 'seed.example\n');
  await using app = await createApp(settings(), logger);
  let times = 0;
  const sourcesOf = (current: typeof app.settings) =>
    createSources({
      ...{ settings: () => current, store: app.store, now: Date.now, random: Math.random },
      http: { open: () => expect.fail('nobody is asked') },
      selectHtml: () => expect.fail('there is no page'),
      isOnline: async () => {
        times += 1;
        return false;
      },
    });
  await sourcesOf(settings({}, { sources: [{ type: 'file', path }, { type: 'crawled' }] })).read('due', signal);
  expect(times).toBe(0);
  expect(await sourcesOf(app.settings).read('due', signal)).toMatchObject([{ outcome: 'failed' }]);
  expect(times).toBe(1);
});

test('of one host, one list is read at a time', async () => {
  const world = await createWorld();
  const now = { reading: 0, most: 0 };
  const host = await world.listen('list.example', '127.0.6.2', async (path) => {
    if (!path.startsWith('/list')) return null;
    now.reading += 1;
    now.most = Math.max(now.most, now.reading);
    await new Promise((resolve) => setTimeout(resolve, 40));
    now.reading -= 1;
    return ['a.example'];
  });
  const sources = [1, 2, 3].map((number) => ({ type: 'json', url: `https://${host}/list${number}` }));
  await using app = await createApp(world.settings({}, {}, { sources }), logger);
  expect(await app.sources.read('due', signal)).toHaveLength(3);
  expect(now.most).toBe(1);
});

test('a list that shrinks by nine tenths is told, and what it brought stays', async () => {
  const { list, settings } = await createListing();
  list.hosts = Array.from({ length: 20 }, (_, index) => `h${index}.example`);
  await using app = await createApp(settings(), logger);
  await app.sources.read('all', signal);
  list.hosts = list.hosts.slice(0, 2);
  list.tag = '"2"';
  expect(await app.sources.read('all', signal)).toMatchObject([{ outcome: 'complete', accepted: 2, shrunkFrom: 20 }]);
  expect(listSources(app.settings, Date.now())).toMatchObject([{ domains: 20, waiting: 20 }]);
  // That nothing came is no list that has shrunk.
  list.status = 500;
  expect(await app.sources.read('fresh', signal)).toMatchObject([{ outcome: 'failed', accepted: 0, shrunkFrom: null }]);
});

test('a million names under one registrable domain are a thousand, and hosts that nobody may visit are refused', async () => {
  const { list, settings } = await createListing();
  list.hosts = Array.from({ length: 3_000 }, (_, index) => `h${index}.crowd.example`);
  list.hosts.push('127.0.0.1', 'localhost', 'honest.example');
  await using app = await createApp(settings(), logger);
  expect(await app.sources.read('all', signal)).toMatchObject([
    { entered: 1_001, cappedByDomain: 2_000, refused: 2, refusedByReason: { 'ip-literal': 1, 'single-label': 1 } },
  ]);
});

test('while we are offline no server is asked, nothing is recorded, and files are read', async () => {
  const { asked, settings, folder, url } = await createListing();
  writeFileSync(join(folder, 'seeds.txt'), 'seed.example\n');
  const sources = [
    { type: 'json', url },
    { type: 'file', path: join(folder, 'seeds.txt') },
  ];
  const online = settings({}, { sources });
  const offline = { ...online, network: { ...online.network, dnsServers: ['127.0.0.1:1'], dnsTimeoutMs: 50 } };
  await using app = await createApp(offline, logger);
  const [list, seeds] = await app.sources.read('due', signal);
  expect([list?.outcome, list?.why, seeds?.entered]).toEqual(['failed', expect.stringContaining('offline'), 1]);
  expect(asked).toEqual([]);
  using reader = app.store.reader();
  expect(reader.sourceStates().map(({ type }) => type)).toEqual(['file']);
});

test('that a source was not asked since we are offline is told, and it is due as before', async () => {
  const { settings, asked, host, url } = await createListing();
  const online = settings({}, { sources: [{ type: 'json', url }] });
  const network = { ...online.network, dnsServers: ['127.0.0.1:1'], dnsTimeoutMs: 50 };
  let at = Date.UTC(2026, 10, 1);
  {
    await using app = await createApp({ ...online, network }, logger, { now: () => at });
    await app.sources.read('due', signal);
    expect(listSources(app.settings, at)).toMatchObject([
      {
        lastNotAsked: { at: '2026-11-01T00:00:00.000Z', why: 'skipped because the crawler is offline' },
        lastRun: null,
      },
    ]);
    at += HOUR;
    expect(await app.sources.readLane('remote', 'due', signal)).toMatchObject([{ outcome: 'failed' }]);
    const [told] = listSources(app.settings, at);
    expect(told).toMatchObject({ firstRead: null, domains: null, nextRead: '2026-11-01T01:00:00.000Z' });
    expect(told?.lastNotAsked?.at).toBe('2026-11-01T01:00:00.000Z');
    expect(sourcesText(told === undefined ? [] : [told])).toContain(
      `json ${url}: last tried at 2026-11-01 01:00; skipped because the crawler is offline.`,
    );
  }
  await using app = await createApp(online, logger, { now: () => at });
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete' }]);
  expect(listSources(app.settings, at)).toMatchObject([{ lastNotAsked: null }]);
  expect(asked).toHaveLength(1);
  // Nobody who has opted out is named for it.
  app.store.forget(parseDomains([host], app.settings), at);
  await using later = await createApp({ ...online, network }, logger, { now: () => at });
  await later.sources.read('all', signal);
  using reader = later.store.reader();
  expect(reader.skippedSources()).toEqual([]);
});

test('a source whose host has opted out is not asked, and its name is not kept', async () => {
  const { asked, settings, host } = await createListing();
  await using app = await createApp(settings(), logger);
  app.store.forget(parseDomains([host], app.settings), Date.now());
  expect(await app.sources.read('all', signal)).toEqual([]);
  expect(asked).toEqual([]);
  using reader = app.store.reader();
  expect(reader.sourceStates()).toEqual([]);
});

test('hosts that were met in the crawl are a source, and peers of federating servers one that is asked for', async () => {
  const world = await createWorld();
  const asked: string[] = [];
  const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
  const mastodon = (peers: string[]) => (name: () => string) => async (path: string) => {
    asked.push(`${name()} ${path}`);
    if (path === '/.well-known/nodeinfo') return { links: [{ rel, href: `https://${name()}/nodeinfo/2.0` }] };
    if (path === '/nodeinfo/2.0') return { version: '2.0', software: { name: 'mastodon', version: '4' } };
    return path === '/api/v1/instance/peers' ? peers : null;
  };
  const names: string[] = [];
  const listen = async (name: string, address: string, answer: ReturnType<typeof mastodon>) => {
    const index = names.length;
    names.push('');
    names[index] = await world.listen(
      name,
      address,
      answer(() => names[index] ?? ''),
    );
    return names[index] ?? '';
  };
  const far = await listen('far.example', '127.0.7.3', mastodon(['too-far.example']));
  const near = await listen('near.example', '127.0.7.2', mastodon([far]));
  const seed = await listen('seed.example', '127.0.7.1', mastodon([near]));
  const peersAsked = () => asked.filter((line) => line.endsWith('/peers')).map((line) => line.split(' ')[0]);

  async function crawl(entry: object, passes: number) {
    const sources = [{ type: 'crawled', ...entry }];
    await using app = await createApp(world.settings({}, {}, { sources }), logger);
    app.store.enter(parseDomains([seed], app.settings), Date.now());
    for (let pass = 0; pass < passes; pass += 1) {
      await app.crawl({ signal, onCompleted: () => undefined });
      await app.sources.read('all', signal);
    }
    return listSources(app.settings, Date.now()).map(({ key, domains }) => [key, domains]);
  }
  expect(await crawl({}, 2)).toEqual([['crawled', 0]]);
  expect(peersAsked()).toEqual([]);
  expect(await crawl({ peers: true }, 3)).toEqual([['crawled', 1]]);
  expect(new Set(peersAsked())).toEqual(new Set([seed]));
  expect(await crawl({ peers: true, depth: 2 }, 3)).toEqual(
    expect.arrayContaining([
      ['crawled', 1],
      ['crawled 2', 1],
    ]),
  );
  expect(new Set(peersAsked())).toEqual(new Set([seed, near]));
});

test('the opt-out file purges, once, and no source brings back whom it names', async () => {
  const { list, settings, folder } = await createListing();
  const file = join(folder, 'opt-outs.txt');
  list.hosts = ['stays.example', 'goes.example'];
  await using app = await createApp(settings({}, { optOut: { file } }), logger);
  await expect(app.applyOptOuts(signal)).rejects.toThrow(`The opt-out file ${file} cannot be read`);
  writeFileSync(file, '# asked by mail\n*.goes.example\nnot a domain\n');
  await app.sources.read('all', signal);
  expect(await app.applyOptOuts(signal)).toEqual({
    listed: 1,
    forgotten: 1,
    malformed: [{ line: 2, taken: 1 }],
    refused: [{ line: 3, reason: expect.any(String) }],
  });
  expect(await app.applyOptOuts(signal)).toBeNull();
  expect(await app.sources.read('fresh', signal)).toMatchObject([{ known: 1, optedOut: 1 }]);
  // A line that is taken away brings nobody back.
  writeFileSync(file, '');
  expect(await app.applyOptOuts(signal)).toMatchObject({ listed: 0, forgotten: 0 });
  expect(await app.sources.read('fresh', signal)).toMatchObject([{ entered: 0, optedOut: 1 }]);
  using reader = openReader(app.settings.database, { busyTimeoutMs: 1_000 });
  expect(reader.optOuts()).toBe(1);
});

test('a line that is refused names nobody who has opted out', async () => {
  const { list, settings } = await createListing();
  const cut = `${'x '.repeat(96)}shy.example ${'y '.repeat(50)}`;
  list.hosts = ['shy.example:22', 'other.example and www.shy.example', 'Other.example SHY.example', cut];
  await using app = await createApp(settings(), logger);
  app.store.forget(parseDomains(['shy.example'], app.settings), Date.now());
  const [report] = await app.sources.read('all', signal);
  expect(report?.refusals.map(({ text }) => text)).toEqual([
    'opted-out.invalid:22',
    'other.example and opted-out.invalid',
    'Other.example opted-out.invalid',
    expect.stringContaining('x …'),
  ]);
  expect(JSON.stringify(report)).not.toMatch(/shy|opted-out\.inv[^a]/i);
});

test('a list is held against the directory: whom they list and we do not, and the reverse, each with our reason', async () => {
  const { list, settings, listen, url } = await createListing();
  const loops = async (path: string) =>
    path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null;
  const both = await listen('both.example', '127.0.8.1', loops);
  const ours = await listen('ours.example', '127.0.8.2', loops);
  const other = await listen('other.example', '127.0.8.3', async (path) =>
    path === '/api/v1/config' ? { app: { software: 'tube', version: '2' } } : null,
  );
  await using app = await createApp(settings(), logger);
  const only = parseDomains([both, ours, other], app.settings);
  await app.crawl({ only, signal, onCompleted: () => undefined });
  const [shy] = parseDomains(['shy.example'], app.settings);
  if (shy === undefined) throw new Error('it is one');
  app.store.forget([shy], Date.now());
  list.hosts = [both, other, 'never.example', 'shy.example', 'www.shy.example', 'x y'];
  const options = { cwd: '/', now: Date.now, clock: () => performance.now(), signal };
  const comparison = await compareSource(app.settings, url, options);
  expect(comparison).toMatchObject({
    outcome: 'complete',
    listed: 5,
    both: 1,
    theirs: [{ domain: 'never.example', because: 'not-known' }],
    theirsByReason: { 'not-known': 1, 'other-software': 1, 'opted-out': 2 },
    ours: [{ domain: ours, via: 'config', version: '1.0.0', sources: [] }],
    refused: 1,
  });
  expect(JSON.stringify(comparison)).not.toContain('shy.example');
  using reader = app.store.reader();
  expect(reader.find(parseDomains(['never.example'], app.settings)[0] as never)).toBeNull();
  await expect(compareSource(app.settings, '/no/such/file.txt', options)).rejects.toMatchObject({
    kind: 'setting',
    message: expect.stringMatching(/^\/no\/such\/file\.txt is not a source .*not a URL.*not an existing file/),
  });
});

test('nobody is asked for a list to compare who has opted out, nor without a contact', async () => {
  const { asked, settings, url, host } = await createListing();
  await using app = await createApp(settings(), logger);
  const options = { cwd: '/', now: Date.now, clock: () => performance.now(), signal };
  const { network } = app.settings;
  const onRealNetwork = { ...app.settings, network: { ...network, dnsServers: ['127.0.0.1:53'] } };
  await expect(compareSource(onRealNetwork, url, options)).rejects.toThrow('contact is still the example');
  app.store.forget(parseDomains([host], app.settings), Date.now());
  await expect(compareSource(app.settings, url, options)).rejects.toMatchObject({
    kind: 'failure',
    message: expect.stringContaining('opted out'),
  });
  expect(asked).toEqual([]);
});
