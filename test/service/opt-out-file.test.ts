import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { crawlAndExport } from '../../src/app/crawl-and-export.ts';
import { createLogger } from '../../src/logger.ts';
import type { Visit } from '../../src/model/visit.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import type { Settings } from '../../src/settings/schema.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createTestNetwork } from '../create-test-network.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
const { signal } = new AbortController();
const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';

/** A test network with a host that counts its requests, and helpers for hosts and sources that redirect to it. */
async function createRedirectTarget() {
  const testNetwork = await createTestNetwork();
  let requests = 0;
  const away = await testNetwork.listen('away.example', '127.0.9.1', async (path) => {
    requests += 1;
    if (path === '/nodeinfo/2.0') return { version: '2.0', software: { name: 'mastodon', version: '4' } };
    return null;
  });
  const redirectToAway = (response: ServerResponse, path: string) => {
    response.writeHead(302, { location: `https://${away}${path}` }).end();
    return null;
  };
  const sourcesAt = (list: string) => [{ type: 'json', url: `https://${list}/hosts.json`, pauseSeconds: 0 }];
  return {
    ...testNetwork,
    away,
    redirectToAway,
    /** The settings of one JSON source. */
    sourcesOf: (entry: object) =>
      testNetwork.settings({}, {}, { sources: [{ type: 'json', pauseSeconds: 0, ...entry }] }).sources,
    /** The number of requests since the previous call. */
    takeRequestCount: () => {
      const count = requests;
      requests = 0;
      return count;
    },
    /** Settings without sources, or with the list of a host as the only source. */
    settings: (list?: string) => testNetwork.settings({}, {}, list === undefined ? {} : { sources: sourcesAt(list) }),
  };
}

/** Opts a domain out over a second connection, like another process. */
async function optOut(settings: Settings, domain: string): Promise<void> {
  await using store = await openStore({ path: settings.database });
  store.optOuts.forget(parseDomains([domain], settings), Date.now());
}

test('a host that refers to one that has since opted out is still visited; the opted-out host receives no request', async () => {
  const { listen, redirectToAway, away, takeRequestCount, settings } = await createRedirectTarget();
  const moved = await listen('moved.example', '127.0.9.2', async (path, _request, response) =>
    redirectToAway(response, path),
  );
  const href = await listen('href.example', '127.0.9.3', async (path) =>
    path === '/.well-known/nodeinfo' ? { links: [{ rel, href: `https://${away}/nodeinfo/2.0` }] } : null,
  );
  const robots = await listen('robots.example', '127.0.9.4', async (path, _request, response) => {
    if (path === '/robots.txt') return redirectToAway(response, path);
    return path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null;
  });
  await using app = await createApp(settings(), logger);
  const visit = async () => {
    const visits: Visit[] = [];
    const only = parseDomains([moved, href, robots], app.settings);
    await app.crawl({ only, signal, onCompleted: (completed) => visits.push(completed) });
    return visits.toSorted((a, b) => (a.domain < b.domain ? -1 : 1));
  };
  const outcomes = (visits: Visit[]) => visits.map(({ verdict, reason, aliasOf }) => [verdict, reason, aliasOf]);

  expect(outcomes(await visit())).toEqual([
    ['other', 'nodeinfo-software', null],
    ['alias', 'redirected', away],
    ['loops', 'config-software', null],
  ]);
  expect(takeRequestCount()).toBeGreaterThan(2);
  await optOut(app.settings, away);
  const visits = await visit();
  expect(takeRequestCount()).toBe(0);
  expect(outcomes(visits)).toEqual([
    ['unidentified', 'href-refused', null],
    ['alias', 'redirected', null],
    ['loops', 'config-software', null],
  ]);
  expect(visits[0]?.documents).toEqual({});
  expect(JSON.stringify(visits)).not.toContain('away.example');
});

// What redirects, its path, and how the reported failure begins.
test.each([
  ['list', '/hosts.json', ''],
  ['robots.txt', '/robots.txt', 'its robots.txt cannot be read: '],
])('a source whose %s redirects to a host that has opted out is reported without naming that host', async (...row) => {
  const [, redirectingPath, failurePrefix] = row;
  const { listen, settings } = await createRedirectTarget();
  const list = await listen('list.example', '127.0.9.5', async (path, _request, response) => {
    // A source may redirect to another host only on port 443.
    if (path === redirectingPath) response.writeHead(302, { location: 'https://away.example/hosts.json' }).end();
    return path === '/hosts.json' ? ['met.example'] : null;
  });
  await using app = await createApp(settings(list), logger);
  const readFailure = async () => (await app.sources.read('fresh', signal))[0]?.why;
  expect(await readFailure()).toContain(`${failurePrefix}connect-refused`);
  await optOut(app.settings, 'away.example');
  expect(await readFailure()).toContain(`${failurePrefix}it leads to a host that is not contacted`);
  using reader = app.store.reader();
  expect(JSON.stringify(reader.sources.all())).not.toContain('away.example');
});

test('a server that opts out during a run of a source receives no request for its peers', async () => {
  const testNetwork = await createTestNetwork();
  const askedHosts: string[] = [];
  const hosts: string[] = [];
  const settings = testNetwork.settings({}, {}, { sources: [{ type: 'crawled', peers: true }] });
  const serve = (name: string, address: string) =>
    testNetwork.listen(name, address, async (path, { headers: { host = '' } }) => {
      if (path === '/.well-known/nodeinfo') return { links: [{ rel, href: `https://${host}/nodeinfo/2.0` }] };
      if (path === '/nodeinfo/2.0') return { version: '2.0', software: { name: 'mastodon', version: '4' } };
      if (isCrawled) askedHosts.push(host);
      if (path !== '/api/v1/instance/peers') return null;
      // The first server that is asked for its peers opts all others out.
      const others = hosts.filter((other) => other !== host);
      for (const other of others) await optOut(settings, other);
      await vi.waitFor(() => expect(others.every((other) => app.store.optOuts.has(other))).toBe(true));
      return ['met.example'];
    });
  let isCrawled = false;
  for (const [index, name] of ['one', 'two', 'three'].entries())
    hosts.push(await serve(`${name}.example`, `127.0.9.${11 + index}`));
  await using app = await createApp(settings, logger);
  await app.crawl({ only: parseDomains(hosts, app.settings), signal, onCompleted: () => undefined });
  isCrawled = true;
  expect(await app.sources.read('fresh', signal)).toMatchObject([{ outcome: 'complete', entered: 1 }]);
  expect(new Set(askedHosts).size).toBe(1);
});

test('a crawl first publishes the purges that another process left unpublished, even if the crawl itself is stopped', async () => {
  const { listen, settings: plain } = await createRedirectTarget();
  const host = (name: string, address: string) =>
    listen(name, address, async (path) =>
      path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null,
    );
  const hosts = [await host('goes.example', '127.0.9.15'), await host('stays.example', '127.0.9.16')];
  const settings = plain();
  const files = () =>
    ['instances.json', 'domains.ndjson', 'changes.ndjson'].map((name) => readFileSync(join(settings.export.dir, name)));
  /** Crawls and returns how the crawl ended. With 'stopped', it is stopped before the first visit. */
  const crawl = async (end?: 'stopped') => {
    await using app = await createApp(settings, logger);
    if (end !== undefined) app.crawl = async () => end;
    const options = { only: parseDomains(hosts, settings), signal };
    return (await crawlAndExport(app, options)).report.end;
  };
  expect(await crawl()).toBe('done');
  expect(String(files())).toContain('goes.example');
  await optOut(settings, 'goes.example');
  expect(await crawl('stopped')).toBe('stopped');
  expect(String(files())).toContain('stays.example');
  expect(String(files())).not.toContain('goes.example');
});

test('a name with a hidden part opts nobody out and enters no host: its line is refused with its number, and the rest applies', async () => {
  const { folder, listen, settings: settingsOf } = await createTestNetwork();
  const servers = new Map<string, string>();
  for (const [index, name] of ['clips-one', 'y', 'he', 'a'].entries())
    servers.set(
      name,
      await listen(`${name}.example`, `127.0.9.${21 + index}`, async (path) =>
        path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null,
      ),
    );
  const hidden = [
    'media.******y.example',
    'loops.**********he.example',
    'video*********a.example',
    'ap.***.example',
    'bar***.*et',
    'media.██y.example',
    'he.example##.video',
    'social [.] a.example',
  ];
  const { port } = new URL(`https://${servers.get('y')}`);
  const masked = hidden.map((name) => `${name}:${port}`);
  writeFileSync(join(folder, 'opt-outs.txt'), ['clips-one.example # by mail', ...hidden, ...masked].join('\n'));
  writeFileSync(join(folder, 'list.csv'), ['domain', ...servers.values(), ...hidden, ...masked].join('\n'));
  const settings = settingsOf(
    {},
    {},
    { optOut: { file: 'opt-outs.txt' }, sources: [{ type: 'file', path: 'list.csv' }] },
  );
  await using app = await createApp(settings, logger);
  const warnings: string[] = [];
  const onWarning = (line: string) => warnings.push(line);
  const { report } = await crawlAndExport(app, { sources: 'all', onWarning, signal });
  const lines = warnings.map((text) => /^line (\d+) of the opt-out file does not clearly name a host/.exec(text)?.[1]);
  expect(lines.map(Number)).toEqual([...hidden, ...masked].map((_, index) => index + 2));
  expect(app.store.optOuts.size).toBe(1);
  expect(report).toMatchObject({ domains: { known: 3, listed: 3 }, sources: [{ refused: hidden.length * 2 }] });
  const { instances } = JSON.parse(readFileSync(join(settings.export.dir, 'instances.json'), 'utf8'));
  expect(instances.map(({ domain }: { domain: string }) => domain).sort()).toEqual(
    ['a', 'he', 'y'].map((name) => servers.get(name)),
  );
});

test('an opt-out file that is a FIFO is refused at once, with the cure', async () => {
  const { folder, settings } = await createTestNetwork();
  const file = join(folder, 'fifo');
  execFileSync('mkfifo', [file]);
  await using app = await createApp({ ...settings({}), optOut: { file } }, logger);
  await expect(app.optOutFile.apply(signal)).rejects.toThrow(
    `The opt-out file ${file} cannot be read (it is a FIFO); name a regular file in optOut.file. No host is visited`,
  );
});

test('a crawl does not count opted-out domains as known', async () => {
  const { settings } = await createTestNetwork();
  await using app = await createApp(settings({}), logger);
  app.store.domains.enter(parseDomains(['stays.example', 'leaves.example'], settings({})), Date.now());
  app.store.optOuts.forget(parseDomains(['leaves.example', 'unheard-of.example'], settings({})), Date.now());
  const { report } = await crawlAndExport(app, { sources: 'none', signal });
  expect(report.domains.known).toBe(1);
});
