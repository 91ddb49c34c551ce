import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { compareSource } from '../../../src/app/compare.ts';
import { sourcesText } from '../../../src/commands/output/source-tables.ts';
import { createLogger } from '../../../src/logger.ts';
import { listSources } from '../../../src/service/sources/source-overview.ts';
import { Sources } from '../../../src/service/sources/sources.ts';
import { parseDomains } from '../../../src/settings/parse-domains.ts';
import { openReader } from '../../../src/store/store-reader.ts';
import { createTestNetwork } from '../../create-test-network.ts';
import { refuseInserts } from '../../store/scratch.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
const { signal } = new AbortController();
const HOUR = 3_600_000;

/** A test network with a server that lists hosts in JSON, with an ETag. */
async function createListServer() {
  const testNetwork = await createTestNetwork();
  const list = {
    hosts: ['a.example', 'b.example'] as unknown[],
    tag: '"1"',
    status: 200,
    retryAfter: null as string | null,
    /** The response is delayed until this settles. */
    until: Promise.resolve() as Promise<unknown>,
  };
  const requests: { path: string; condition: string | undefined }[] = [];
  const host = await testNetwork.listen('list.example', '127.0.6.1', async (path, request, response) => {
    if (path !== '/hosts.json') return null;
    requests.push({ path, condition: request.headers['if-none-match'] });
    await list.until;
    response.setHeader('etag', list.tag);
    if (list.retryAfter !== null) response.setHeader('retry-after', list.retryAfter);
    response.statusCode = list.status;
    if (request.headers['if-none-match'] === list.tag) response.statusCode = 304;
    return response.statusCode === 200 ? list.hosts : null;
  });
  const url = `https://${host}/hosts.json`;
  const settings = (entry: object = {}, more: object = {}) =>
    testNetwork.settings({}, {}, { sources: [{ type: 'json', url, ...entry }], ...more });
  return { ...testNetwork, list, requests, url, host, settings };
}

test('a list is read once per interval, and its content only if it changed', async () => {
  const { list, requests, settings } = await createListServer();
  let now = Date.now();
  await using app = await createApp(settings(), logger, { now: () => now });
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete', entered: 2, known: 0 }]);
  expect(await app.sources.read('due', signal)).toEqual([]);
  now += 24 * HOUR;
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'unchanged', entered: 0, lines: 0 }]);
  now += 24 * HOUR;
  // A 304 response keeps the stored ETag.
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'unchanged' }]);
  list.hosts.push('c.example');
  list.tag = '"2"';
  now += 24 * HOUR;
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete', entered: 1, known: 2 }]);
  expect(requests.map(({ condition }) => condition)).toEqual([undefined, '"1"', '"1"', '"1"']);
});

test('an unchanged list is read in full after its settings change, and with "fresh"', async () => {
  const { requests, settings } = await createListServer();
  const read = async (which: 'all' | 'fresh', entry: object) => {
    await using app = await createApp(settings(entry), logger);
    const [report] = await app.sources.read(which, signal);
    return report?.outcome;
  };
  expect(await read('all', { id: 'list' })).toBe('complete');
  expect(await read('all', { id: 'list' })).toBe('unchanged');
  expect(await read('all', { id: 'list', most: 5 })).toBe('complete');
  expect(await read('fresh', { id: 'list', most: 5 })).toBe('complete');
  expect(requests).toHaveLength(4);
});

test('domains left out by the limit of a source are entered later, even if the list has not changed', async () => {
  const { settings } = await createListServer();
  await using app = await createApp(settings({ most: 1 }), logger);
  expect(await app.sources.read('all', signal)).toMatchObject([{ entered: 1, queueFull: 1 }]);
  await app.crawl({ signal, onCompleted: () => undefined });
  expect(await app.sources.read('all', signal)).toMatchObject([
    { outcome: 'complete', entered: 1, known: 1, queueFull: 0 },
  ]);
});

test('a failed list is retried after one hour, then two, while other sources are read', async () => {
  const { list, requests, settings, folder, url } = await createListServer();
  writeFileSync(join(folder, 'seeds.txt'), 'seed.example\n');
  list.status = 500;
  let now = Date.now();
  const sources = [
    { type: 'json', url },
    { type: 'file', path: join(folder, 'seeds.txt') },
  ];
  await using app = await createApp(settings({}, { sources }), logger, { now: () => now });
  const [failed, seeds] = await app.sources.read('due', signal);
  expect([failed?.outcome, failed?.why, seeds?.entered]).toEqual(['failed', expect.stringContaining('500'), 1]);
  const triedAfter = async (minutes: number) => {
    now += minutes * 60_000;
    const before = requests.length;
    await app.sources.read('due', signal);
    return requests.length > before;
  };
  expect(await triedAfter(59)).toBe(false);
  expect(await triedAfter(1)).toBe(true);
  expect(await triedAfter(119)).toBe(false);
  list.status = 200;
  expect(await triedAfter(1)).toBe(true);
  expect(await triedAfter(23 * 60)).toBe(false);
});

test('Retry-After of a source is obeyed, also by the next process, for at most thirty days', async () => {
  const { list, requests, settings } = await createListServer();
  let now = Date.now();
  const readAfter = async (hours: number) => {
    now += hours * HOUR;
    const before = requests.length;
    await using app = await createApp(settings(), logger, { now: () => now });
    await app.sources.read('due', signal);
    const [source] = listSources(app.settings, now);
    return { isRequested: requests.length > before, nextInHours: (Date.parse(source?.nextRead ?? '') - now) / HOUR };
  };
  Object.assign(list, { status: 429, retryAfter: '18000' });
  expect(await readAfter(0)).toEqual({ isRequested: true, nextInHours: 5 });
  expect(await readAfter(4.9)).toMatchObject({ isRequested: false });
  list.retryAfter = '999999999';
  expect(await readAfter(0.1)).toEqual({ isRequested: true, nextInHours: 30 * 24 });
  expect(await readAfter(30 * 24 - 1)).toMatchObject({ isRequested: false });
  list.status = 200;
  // Retry-After on a successful response is ignored.
  expect(await readAfter(1)).toEqual({ isRequested: true, nextInHours: 24 });
});

test('Retry-After in the middle of a list is obeyed, and a clock that was ahead does not extend it', async () => {
  const testNetwork = await createTestNetwork();
  const host = await testNetwork.listen('list.example', '127.0.6.1', async (path, _, response) => {
    if (path === '/list?page=1') return { hosts: ['a.example'] };
    if (path !== '/list?page=2') return null;
    response.writeHead(429, { 'retry-after': '18000' }).end();
    return null;
  });
  const next = { by: 'page', parameter: 'page', first: 1 };
  const entry = { type: 'json', url: `https://${host}/list`, hosts: 'hosts.*', next, pauseSeconds: 0 };
  const settings = testNetwork.settings({}, {}, { sources: [entry] });
  let now = Date.now() + 90 * 24 * HOUR;
  await using app = await createApp(settings, logger, { now: () => now });
  expect(await app.sources.read('due', signal)).toMatchObject([
    { outcome: 'partial', why: 'answers with status 429', entered: 1 },
  ]);
  now += 4 * HOUR;
  expect(await app.sources.read('due', signal)).toEqual([]);
  now -= 90 * 24 * HOUR;
  expect(await app.sources.read('due', signal)).toHaveLength(1);
});

test('a changed file is read again, and a missing one fails after the other sources were read', async () => {
  const { settings, folder, url } = await createListServer();
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
  const outcomes = reader.sources.all().map(({ type, lastRun }) => [type, lastRun?.outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({ file: 'failed', json: 'unchanged' });
});

test('a file source that gets another path or is disabled is no longer among the sources of an instance', async () => {
  const { listen, settings, folder } = await createTestNetwork();
  const instance = await listen('loops.example', '127.0.6.1', async (path) =>
    path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' } } : null,
  );
  const sourcesAfterCrawl = async (...entries: [name: string, enabled: boolean][]) => {
    const sources = entries.map(([name, enabled]) => ({ type: 'file', path: join(folder, name), enabled }));
    await using app = await createApp(settings({}, {}, { sources }), logger);
    await app.sources.read('due', signal);
    await app.crawl({ signal, onCompleted: () => undefined });
    using reader = app.store.reader();
    return [...reader.sources.ofInstances()].map((membership) => membership.sources);
  };
  const on = (name: string): [string, boolean] => [name, true];
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(folder, name), `${instance}\n`);
  const [both] = await sourcesAfterCrawl(on('a.txt'), on('c.txt'));
  expect(both?.toSorted()).toEqual(['file-a', 'file-c']);
  const [moved] = await sourcesAfterCrawl(on('c.txt'), on('b.txt'));
  expect(moved?.toSorted()).toEqual(['file-b', 'file-c']);
  expect(await sourcesAfterCrawl(on('b.txt'), ['c.txt', false])).toEqual([['file-b']]);
  expect(await sourcesAfterCrawl(on('a.txt'), on('c.txt'))).toEqual([both]);
});

test('a file whose domains could not be written to the database is read again', async () => {
  const { settings, folder } = await createListServer();
  const path = join(folder, 'seeds.txt');
  writeFileSync(path, 'seed.example\n');
  await using app = await createApp(settings({}, { sources: [{ type: 'file', path }] }), logger);
  const acceptInserts = refuseInserts(app.settings.database, 'source_runs');
  await expect(app.sources.read('due', signal)).rejects.toThrow('the disk is full');
  acceptInserts();
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete', entered: 1 }]);
  expect(await app.sources.read('due', signal)).toEqual([]);
});

test('a run cancelled before its start neither starts nor is recorded', async () => {
  const { settings, requests } = await createListServer();
  await using app = await createApp(settings(), logger);
  expect(await app.sources.readLane('remote', 'all', AbortSignal.abort())).toEqual([]);
  await expect(app.sources.read('all', AbortSignal.abort())).rejects.toHaveProperty('name', 'AbortError');
  using reader = app.store.reader();
  expect([reader.sources.all(), requests]).toEqual([[], []]);
});

test('the online check runs only before a request to a remote source', async () => {
  const { settings, folder } = await createListServer();
  const path = join(folder, 'seeds.txt');
  writeFileSync(path, 'seed.example\n');
  await using app = await createApp(settings(), logger);
  let onlineChecks = 0;
  const sourcesOf = (current: typeof app.settings) =>
    new Sources({
      ...{ settings: () => current, store: app.store, now: Date.now, random: Math.random },
      http: { open: () => expect.fail('unexpected request') },
      selectHtml: () => expect.fail('unexpected page source'),
      isOnline: async () => {
        onlineChecks += 1;
        return false;
      },
    });
  await sourcesOf(settings({}, { sources: [{ type: 'file', path }, { type: 'crawled' }] })).read('due', signal);
  expect(onlineChecks).toBe(0);
  expect(await sourcesOf(app.settings).read('due', signal)).toMatchObject([{ outcome: 'failed' }]);
  expect(onlineChecks).toBe(1);
});

test('lists of the same host are read one at a time', async () => {
  const testNetwork = await createTestNetwork();
  const concurrency = { current: 0, max: 0 };
  const host = await testNetwork.listen('list.example', '127.0.6.2', async (path) => {
    if (!path.startsWith('/list')) return null;
    concurrency.current += 1;
    concurrency.max = Math.max(concurrency.max, concurrency.current);
    await new Promise((resolve) => setTimeout(resolve, 40));
    concurrency.current -= 1;
    return ['a.example'];
  });
  const sources = [1, 2, 3].map((number) => ({ type: 'json', url: `https://${host}/list${number}` }));
  await using app = await createApp(testNetwork.settings({}, {}, { sources }), logger);
  expect(await app.sources.read('due', signal)).toHaveLength(3);
  expect(concurrency.max).toBe(1);
});

test('the software of an entry is compared in any case and without surrounding spaces', async () => {
  const { list, settings, url } = await createListServer();
  list.hosts = [
    { host: 'a.example', software: 'tube' },
    { host: 'b.example', software: ' LOOPS ' },
  ];
  const entry = { hosts: '*.host', software: 'software' };
  await using app = await createApp(settings(entry, { softwareId: 'Loops', queue: { concurrency: 1 } }), logger);
  const options = { cwd: '/', now: Date.now, clock: () => performance.now(), signal };
  expect(await compareSource(app.settings, url, options)).toMatchObject({ listed: 2, saidOther: 1 });
  await app.sources.read('due', signal);
  const visited: string[] = [];
  await app.crawl({ signal, onCompleted: ({ domain }) => void visited.push(domain) });
  expect(visited).toEqual(['b.example', 'a.example']);
});

test('a list that shrinks by nine tenths is reported, and its domains stay', async () => {
  const { list, settings } = await createListServer();
  list.hosts = Array.from({ length: 20 }, (_, index) => `h${index}.example`);
  await using app = await createApp(settings(), logger);
  await app.sources.read('all', signal);
  list.hosts = list.hosts.slice(0, 2);
  list.tag = '"2"';
  expect(await app.sources.read('all', signal)).toMatchObject([{ outcome: 'complete', accepted: 2, shrunkFrom: 20 }]);
  expect(listSources(app.settings, Date.now())).toMatchObject([{ domains: 20, waiting: 20 }]);
  // A failed run does not count as a shrunk list.
  list.status = 500;
  expect(await app.sources.read('fresh', signal)).toMatchObject([{ outcome: 'failed', accepted: 0, shrunkFrom: null }]);
});

test('at most a thousand names under one registrable domain are entered, and hosts that must not be visited are refused', async () => {
  const { list, settings } = await createListServer();
  list.hosts = Array.from({ length: 3_000 }, (_, index) => `h${index}.crowd.example`);
  list.hosts.push('127.0.0.1', 'localhost', 'honest.example');
  await using app = await createApp(settings(), logger);
  expect(await app.sources.read('all', signal)).toMatchObject([
    { entered: 1_001, cappedByDomain: 2_000, refused: 2, refusedByReason: { 'ip-literal': 1, 'single-label': 1 } },
  ]);
});

test('while the crawler is offline, no request is made, no run of a remote source is recorded, and files are read', async () => {
  const { requests, settings, folder, url } = await createListServer();
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
  expect(requests).toEqual([]);
  using reader = app.store.reader();
  expect(reader.sources.all().map(({ type }) => type)).toEqual(['file']);
});

test('a source skipped while offline is reported and stays due', async () => {
  const { settings, requests, host, url } = await createListServer();
  const online = settings({}, { sources: [{ type: 'json', url }] });
  const network = { ...online.network, dnsServers: ['127.0.0.1:1'], dnsTimeoutMs: 50 };
  let now = Date.UTC(2026, 10, 1);
  {
    await using app = await createApp({ ...online, network }, logger, { now: () => now });
    await app.sources.read('due', signal);
    expect(listSources(app.settings, now)).toMatchObject([
      {
        lastNotAsked: { at: '2026-11-01T00:00:00.000Z', why: 'skipped because the crawler is offline' },
        lastRun: null,
      },
    ]);
    now += HOUR;
    expect(await app.sources.readLane('remote', 'due', signal)).toMatchObject([{ outcome: 'failed' }]);
    const [source] = listSources(app.settings, now);
    expect(source).toMatchObject({ firstRead: null, domains: null, nextRead: '2026-11-01T01:00:00.000Z' });
    expect(source?.lastNotAsked?.at).toBe('2026-11-01T01:00:00.000Z');
    expect(sourcesText(source === undefined ? [] : [source])).toContain(
      `json ${url}: last tried at 2026-11-01 01:00 UTC; skipped because the crawler is offline.`,
    );
  }
  await using app = await createApp(online, logger, { now: () => now });
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete' }]);
  expect(listSources(app.settings, now)).toMatchObject([{ lastNotAsked: null }]);
  expect(requests).toHaveLength(1);
  // A source that opted out is not recorded as skipped.
  app.store.optOuts.forget(parseDomains([host], app.settings), now);
  await using later = await createApp({ ...online, network }, logger, { now: () => now });
  await later.sources.read('all', signal);
  using reader = later.store.reader();
  expect(reader.sources.skipped()).toEqual([]);
});

test('a source whose host has opted out is not requested, and its name is not stored', async () => {
  const { requests, settings, host } = await createListServer();
  await using app = await createApp(settings(), logger);
  app.store.optOuts.forget(parseDomains([host], app.settings), Date.now());
  expect(await app.sources.read('all', signal)).toEqual([]);
  expect(requests).toEqual([]);
  using reader = app.store.reader();
  expect(reader.sources.all()).toEqual([]);
});

test('hosts found by the crawl are a source; peers of federating servers are requested only if enabled', async () => {
  const testNetwork = await createTestNetwork();
  const requests: string[] = [];
  const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
  /** The responses of a Mastodon server with these peers; its own name is known only once it listens. */
  const mastodon = (peers: string[]) => (name: () => string) => async (path: string) => {
    requests.push(`${name()} ${path}`);
    if (path === '/.well-known/nodeinfo') return { links: [{ rel, href: `https://${name()}/nodeinfo/2.0` }] };
    if (path === '/nodeinfo/2.0') return { version: '2.0', software: { name: 'mastodon', version: '4' } };
    return path === '/api/v1/instance/peers' ? peers : null;
  };
  const names: string[] = [];
  const listen = async (name: string, address: string, answer: ReturnType<typeof mastodon>) => {
    const index = names.length;
    names.push('');
    names[index] = await testNetwork.listen(
      name,
      address,
      answer(() => names[index] ?? ''),
    );
    return names[index] ?? '';
  };
  const distant = await listen('far.example', '127.0.7.3', mastodon(['too-far.example']));
  const near = await listen('near.example', '127.0.7.2', mastodon([distant]));
  const seed = await listen('seed.example', '127.0.7.1', mastodon([near]));
  const hostsAskedForPeers = () => requests.filter((line) => line.endsWith('/peers')).map((line) => line.split(' ')[0]);

  async function crawl(entry: object, passes: number) {
    const sources = [{ type: 'crawled', ...entry }];
    await using app = await createApp(testNetwork.settings({}, {}, { sources }), logger);
    app.store.domains.enter(parseDomains([seed], app.settings), Date.now());
    for (let pass = 0; pass < passes; pass += 1) {
      await app.crawl({ signal, onCompleted: () => undefined });
      await app.sources.read('all', signal);
    }
    return listSources(app.settings, Date.now()).map(({ key, domains }) => [key, domains]);
  }
  expect(await crawl({}, 2)).toEqual([['crawled', 0]]);
  expect(hostsAskedForPeers()).toEqual([]);
  expect(await crawl({ peers: true }, 3)).toEqual([['crawled', 1]]);
  expect(new Set(hostsAskedForPeers())).toEqual(new Set([seed]));
  expect(await crawl({ peers: true, depth: 2 }, 3)).toEqual(
    expect.arrayContaining([
      ['crawled', 1],
      ['crawled 2', 1],
    ]),
  );
  expect(new Set(hostsAskedForPeers())).toEqual(new Set([seed, near]));
});

test('the opt-out file purges its domains once, and no source enters them again', async () => {
  const { list, settings, folder } = await createListServer();
  const file = join(folder, 'opt-outs.txt');
  list.hosts = ['stays.example', 'goes.example'];
  await using app = await createApp(settings({}, { optOut: { file } }), logger);
  await expect(app.optOutFile.apply(signal)).rejects.toThrow(`The opt-out file ${file} cannot be read`);
  writeFileSync(file, '# asked by mail\n*.goes.example\nnot a domain\n');
  await app.sources.read('all', signal);
  expect(await app.optOutFile.apply(signal)).toEqual({
    listed: 1,
    forgotten: 1,
    refused: [{ line: 3, reason: expect.any(String) }],
  });
  expect(await app.optOutFile.apply(signal)).toBeNull();
  expect(await app.sources.read('fresh', signal)).toMatchObject([{ known: 1, optedOut: 1 }]);
  // A domain removed from the file stays opted out.
  writeFileSync(file, '');
  expect(await app.optOutFile.apply(signal)).toMatchObject({ listed: 0, forgotten: 0 });
  expect(await app.sources.read('fresh', signal)).toMatchObject([{ entered: 0, optedOut: 1 }]);
  using reader = openReader(app.settings.database, { busyTimeoutMs: 1_000 });
  expect(reader.optOuts.count()).toBe(1);
});

test('the comparison of a list with the directory names the domains missing here, each with its reason, and those only here', async () => {
  const { list, settings, listen, url } = await createListServer();
  const loops = async (path: string) =>
    path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null;
  const both = await listen('both.example', '127.0.8.1', loops);
  const onlyHere = await listen('ours.example', '127.0.8.2', loops);
  const other = await listen('other.example', '127.0.8.3', async (path) =>
    path === '/api/v1/config' ? { app: { software: 'tube', version: '2' } } : null,
  );
  await using app = await createApp(settings(), logger);
  const only = parseDomains([both, onlyHere, other], app.settings);
  await app.crawl({ only, signal, onCompleted: () => undefined });
  const [shy] = parseDomains(['shy.example'], app.settings);
  if (shy === undefined) throw new Error('unreachable');
  app.store.optOuts.forget([shy], Date.now());
  list.hosts = [both, other, 'never.example', 'shy.example', 'www.shy.example', 'x y'];
  const options = { cwd: '/', now: Date.now, clock: () => performance.now(), signal };
  const comparison = await compareSource(app.settings, url, options);
  expect(comparison).toMatchObject({
    outcome: 'complete',
    listed: 5,
    both: 1,
    theirs: [{ domain: 'never.example', because: 'not-known' }],
    theirsByReason: { 'not-known': 1, 'other-software': 1, 'opted-out': 2 },
    ours: [{ domain: onlyHere, via: 'config', version: '1.0.0', sources: [] }],
    refused: 1,
  });
  expect(JSON.stringify(comparison)).not.toContain('shy.example');
  using reader = app.store.reader();
  expect(reader.domains.find(parseDomains(['never.example'], app.settings)[0] as never)).toBeNull();
  await expect(compareSource(app.settings, '/no/such/file.txt', options)).rejects.toMatchObject({
    kind: 'setting',
    message: expect.stringMatching(/^\/no\/such\/file\.txt is not a source .*not a URL.*not an existing file/),
  });
});

test('a list to compare is not requested from a host that opted out, nor without a contact', async () => {
  const { requests, settings, url, host } = await createListServer();
  await using app = await createApp(settings(), logger);
  const options = { cwd: '/', now: Date.now, clock: () => performance.now(), signal };
  const { network } = app.settings;
  const onRealNetwork = { ...app.settings, network: { ...network, dnsServers: ['127.0.0.1:53'] } };
  await expect(compareSource(onRealNetwork, url, options)).rejects.toThrow('contact is an example');
  app.store.optOuts.forget(parseDomains([host], app.settings), Date.now());
  await expect(compareSource(app.settings, url, options)).rejects.toMatchObject({
    kind: 'failure',
    message: expect.stringContaining('opted out'),
  });
  expect(requests).toEqual([]);
});
