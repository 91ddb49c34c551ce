import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createApp, createLogger, parseDomains } from '../../src/app/app.ts';
import { crawlOnce } from '../../src/commands/output/crawl-report.ts';
import type { Visit } from '../../src/model/visit.ts';
import { listSources } from '../../src/service/sources/source-overview.ts';
import type { Settings } from '../../src/settings/schema.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createWorld } from '../create-world.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
const { signal } = new AbortController();
const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';

/** A world with a host that counts what it is asked, and what others lead to it by. */
async function createLeads() {
  const world = await createWorld();
  let asked = 0;
  const away = await world.listen('away.example', '127.0.9.1', async (path) => {
    asked += 1;
    if (path === '/nodeinfo/2.0') return { version: '2.0', software: { name: 'mastodon', version: '4' } };
    return null;
  });
  const to = (response: ServerResponse, path: string) => {
    response.writeHead(302, { location: `https://${away}${path}` }).end();
    return null;
  };
  const sources = (list: string) => [{ type: 'json', url: `https://${list}/hosts.json`, pauseSeconds: 0 }];
  return {
    ...world,
    away,
    to,
    sourcesOf: (entry: object) =>
      world.settings({}, {}, { sources: [{ type: 'json', pauseSeconds: 0, ...entry }] }).sources,
    /** How often it was asked since this was last called. */
    asked: () => {
      const count = asked;
      asked = 0;
      return count;
    },
    settings: (list?: string) => world.settings({}, {}, list === undefined ? {} : { sources: sources(list) }),
  };
}

/** As another process opts out, beside whoever has the database open. */
async function optOut(settings: Settings, domain: string): Promise<void> {
  await using store = await openStore({ path: settings.database });
  store.forget(parseDomains([domain], settings), Date.now());
}

test('whoever leads to a host that opts out meanwhile is visited as before, and that host is asked nothing', async () => {
  const { listen, to, away, asked, settings } = await createLeads();
  const moved = await listen('moved.example', '127.0.9.2', async (path, _request, response) => to(response, path));
  const href = await listen('href.example', '127.0.9.3', async (path) =>
    path === '/.well-known/nodeinfo' ? { links: [{ rel, href: `https://${away}/nodeinfo/2.0` }] } : null,
  );
  const robots = await listen('robots.example', '127.0.9.4', async (path, _request, response) => {
    if (path === '/robots.txt') return to(response, path);
    return path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null;
  });
  await using app = await createApp(settings(), logger);
  const visit = async () => {
    const visits: Visit[] = [];
    const only = parseDomains([moved, href, robots], app.settings);
    await app.crawl({ only, signal, onCompleted: (one) => visits.push(one) });
    return visits.toSorted((one, other) => (one.domain < other.domain ? -1 : 1));
  };
  const said = (visits: Visit[]) => visits.map(({ verdict, reason, aliasOf }) => [verdict, reason, aliasOf]);

  expect(said(await visit())).toEqual([
    ['other', 'nodeinfo-software', null],
    ['alias', 'redirected', away],
    ['loops', 'config-software', null],
  ]);
  expect(asked()).toBeGreaterThan(2);
  await optOut(app.settings, away);
  const visits = await visit();
  expect(asked()).toBe(0);
  expect(said(visits)).toEqual([
    ['unidentified', 'href-refused', null],
    ['alias', 'redirected', expect.stringMatching(/^opted-out\.invalid:\d+$/)],
    ['loops', 'config-software', null],
  ]);
  const { documents: _theirs, ...told } = visits[0] as Visit;
  expect(JSON.stringify([told, ...visits.slice(1)])).not.toContain('away.example');
});

test.each([
  ['itself', '/hosts.json', ''],
  ['by its robots.txt', '/robots.txt', 'its robots.txt cannot be read: '],
])(
  'a source that redirects %s to a host that has opted out is told of in words that do not name it',
  async (...row) => {
    const [, redirected, before] = row;
    const { listen, settings } = await createLeads();
    const list = await listen('list.example', '127.0.9.5', async (path, _request, response) => {
      // Of another host, a source is followed to the port 443 alone.
      if (path === redirected) response.writeHead(302, { location: 'https://away.example/hosts.json' }).end();
      return path === '/hosts.json' ? ['met.example'] : null;
    });
    await using app = await createApp(settings(list), logger);
    const why = async () => (await app.sources.read('fresh', signal))[0]?.why;
    expect(await why()).toContain(`${before}connect-refused`);
    await optOut(app.settings, 'away.example');
    expect(await why()).toContain(`${before}it leads to a host that is not contacted`);
    using reader = app.store.reader();
    expect(JSON.stringify(reader.sourceStates())).not.toContain('away.example');
  },
);

test('a source whose address names a host that has opted out is read in its time, under a name that says nothing', async () => {
  const { listen, settings: plain, sourcesOf } = await createLeads();
  let asked = 0;
  const list = await listen('list.example', '127.0.9.5', async (path) => {
    if (path.startsWith('/hosts.json')) asked += 1;
    return path.startsWith('/hosts.json') ? ['met.example'] : null;
  });
  const url = `https://${list}/hosts.json?but=away.example`;
  const settings = { ...plain(list), sources: sourcesOf({ url }) };
  let at = Date.now();
  await using app = await createApp(settings, logger, { now: () => at });
  expect(await app.sources.read('due', signal)).toMatchObject([{ outcome: 'complete' }]);
  await optOut(app.settings, 'away.example');
  expect(await app.sources.read('due', signal)).toEqual([]);
  expect(asked).toBe(1);
  at += 25 * 3_600_000;
  const again = await app.sources.read('due', signal);
  expect(again).toMatchObject([{ outcome: 'complete', known: 1 }]);
  expect(asked).toBe(2);
  const told = listSources(app.settings, at);
  expect(told).toMatchObject([{ status: 'on', domains: 1 }]);
  using reader = app.store.reader();
  const kept = JSON.stringify([again, told, reader.sourceStates(), [...reader.sourceRuns(again[0]?.key ?? '')]]);
  expect(kept).not.toContain('away.example');
});

test('of the servers that are asked for their peers, one that opts out meanwhile is not asked', async () => {
  const world = await createWorld();
  const asked: string[] = [];
  const hosts: string[] = [];
  const settings = world.settings({}, {}, { sources: [{ type: 'crawled', peers: true }] });
  const serve = (name: string, address: string) =>
    world.listen(name, address, async (path, { headers: { host = '' } }) => {
      if (path === '/.well-known/nodeinfo') return { links: [{ rel, href: `https://${host}/nodeinfo/2.0` }] };
      if (path === '/nodeinfo/2.0') return { version: '2.0', software: { name: 'mastodon', version: '4' } };
      if (isCrawled) asked.push(host);
      if (path !== '/api/v1/instance/peers') return null;
      for (const other of hosts) if (other !== host) await optOut(settings, other);
      return ['met.example'];
    });
  let isCrawled = false;
  for (const [index, name] of ['one', 'two', 'three'].entries())
    hosts.push(await serve(`${name}.example`, `127.0.9.${11 + index}`));
  await using app = await createApp(settings, logger);
  await app.crawl({ only: parseDomains(hosts, app.settings), signal, onCompleted: () => undefined });
  isCrawled = true;
  expect(await app.sources.read('fresh', signal)).toMatchObject([{ outcome: 'complete', entered: 1 }]);
  expect(new Set(asked).size).toBe(1);
});

test('a crawl publishes first what a process purged that was killed before it could, however the crawl itself ends', async () => {
  const { listen, settings: plain } = await createLeads();
  const host = (name: string, address: string) =>
    listen(name, address, async (path) =>
      path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null,
    );
  const only = [await host('goes.example', '127.0.9.15'), await host('stays.example', '127.0.9.16')];
  const settings = plain();
  const files = () =>
    ['instances.json', 'domains.ndjson', 'changes.ndjson'].map((name) => readFileSync(join(settings.export.dir, name)));
  const crawl = async (end?: 'stopped') => {
    await using app = await createApp(settings, logger);
    const stopped = Object.create(app, { crawl: { value: async () => end } });
    const crawled = { only: parseDomains(only, settings), stderr: new PassThrough(), signal };
    return (await crawlOnce(end === undefined ? app : stopped, crawled)).report.end;
  };
  expect(await crawl()).toBe('done');
  expect(String(files())).toContain('goes.example');
  await optOut(settings, 'goes.example');
  expect(await crawl('stopped')).toBe('stopped');
  expect(String(files())).toContain('stays.example');
  expect(String(files())).not.toContain('goes.example');
});

test('a crawl says from how many lines of the opt-out file that are not one domain how many names were taken, and names none', async () => {
  const { folder, settings } = await createWorld();
  const file = join(folder, 'opt-outs.txt');
  const names = Array.from({ length: 11 }, (_, index) => `- x${index}.example`);
  writeFileSync(file, ['a.example', '*.b.example', 'c.example; d.example', 'nobody', ...names].join('\n'));
  await using app = await createApp(settings({}, {}, { optOut: { file } }), logger);
  const stderr = new PassThrough();
  await crawlOnce(app, { only: [], stderr, signal });
  const told = String(stderr.read());
  expect(told).toContain(
    '13 lines of the opt-out file (2, 3, 5, 6, 7, 8, 9, 10, 11, 12 and 3 more) should hold exactly one domain each; all 14 domains found there were opted out',
  );
  expect(told).toContain('line 4 of the opt-out file names no domain (single-label)');
  expect(told).not.toContain('.example');
  const named = parseDomains(['a.example', 'b.example', 'c.example', 'd.example', 'x10.example'], app.settings);
  expect(named.filter((domain) => app.store.optedOut.has(domain))).toEqual(named);
});

test('an opt-out file that is a FIFO is refused with the cure, and nobody waits for it', async () => {
  const { folder, settings } = await createWorld();
  const file = join(folder, 'fifo');
  execFileSync('mkfifo', [file]);
  await using app = await createApp({ ...settings({}), optOut: { file } }, logger);
  await expect(app.applyOptOuts(signal)).rejects.toThrow(
    `The opt-out file ${file} cannot be read (it is a FIFO); name a regular file in optOut.file. No host is visited`,
  );
});

test('who has opted out is not among the known of a pass', async () => {
  const { settings } = await createWorld();
  await using app = await createApp(settings({}), logger);
  app.store.enter(parseDomains(['stays.example', 'leaves.example'], settings({})), Date.now());
  app.store.forget(parseDomains(['leaves.example', 'unheard-of.example'], settings({})), Date.now());
  const { report } = await crawlOnce(app, { sources: 'none', stderr: new PassThrough(), signal });
  expect(report.domains.known).toBe(1);
});
