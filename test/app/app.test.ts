import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import type { Identifier } from '../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import { createLogger } from '../../src/logger.ts';
import { UNKNOWN_HOSTING } from '../../src/model/facts/hosting.ts';
import type { Visit } from '../../src/model/visit.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { createTestNetwork } from '../create-test-network.ts';
import { mmdbBytes } from '../identify/hosting/mmdb-bytes.ts';
import { loopsVisit, sampleDomains, unreachableVisit } from '../store/sample-visit.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });

test('perAddress limits the requests to a third-party host that many hosts on other addresses refer to', async () => {
  const { listen, settings } = await createTestNetwork();
  const requests = { current: 0, max: 0, total: 0 };
  const victim = await listen('victim.example', '127.0.1.1', async (path) => {
    if (path !== '/nodeinfo/2.0') return null;
    requests.current++;
    requests.total++;
    requests.max = Math.max(requests.max, requests.current);
    await expect.poll(() => requests.max).toBe(3);
    requests.current--;
    return { software: { name: 'shared', version: '1' } };
  });
  const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
  const links = { links: [{ rel, href: `https://${victim}/nodeinfo/2.0` }] };
  const hosts: string[] = [];
  for (let i = 0; i < 24; i++) {
    const answer = async (path: string) => (path === '/.well-known/nodeinfo' ? links : null);
    hosts.push(await listen(`host-${i}.example`, `127.0.2.${i + 1}`, answer));
  }

  const visits: Visit[] = [];
  {
    await using app = await createApp(settings({ perAddress: 3, perRegistrableDomain: 0 }), logger);
    const only = parseDomains(hosts, app.settings);
    const { signal } = new AbortController();
    await app.crawl({ only, signal, onCompleted: (visit) => visits.push(visit) });
  }
  expect(visits.map(({ verdict, software }) => `${verdict} ${software}`)).toEqual(hosts.map(() => 'other shared'));
  expect(requests).toEqual({ current: 0, max: 3, total: hosts.length });
});

test('robots.txt is cached for a day, even across restarts, but is fetched again for a domain that the user names', async () => {
  const { listen, settings } = await createTestNetwork();
  const paths: string[] = [];
  const host = await listen('cached.example', '127.0.3.1', async (path) => {
    paths.push(path);
    return path === '/api/v1/config' ? { app: { software: 'loops' }, federation: false } : null;
  });
  const start = Date.now();
  const { signal } = new AbortController();

  async function requestedPaths(hoursLater: number, isNamed: boolean): Promise<string[]> {
    await using app = await createApp(settings({}), logger, { now: () => start + hoursLater * 3_600_000 });
    const domains = parseDomains([host], app.settings);
    app.store.domains.enter(domains, start);
    await app.crawl({ only: isNamed ? domains : undefined, signal, onCompleted: () => undefined });
    return paths.splice(0);
  }
  expect(await requestedPaths(0, false)).toEqual(['/robots.txt', '/api/v1/config']);
  expect(await requestedPaths(8, false)).toEqual(['/api/v1/config']);
  expect(await requestedPaths(16, true)).toEqual(['/robots.txt', '/api/v1/config']);
  expect(await requestedPaths(48, false)).toEqual(['/robots.txt', '/api/v1/config']);
});

test('a host that moves changes country and network, not one with several addresses nor one that a newer database corrects', async () => {
  const { listen, addName, settings, folder } = await createTestNetwork();
  const [countryDatabase, asnDatabase] = [join(folder, 'countries.mmdb'), join(folder, 'asn.mmdb')];
  const country = (code: string) => ({ country: { iso_code: code } });
  const network = (asn: number, name: string) => ({
    autonomous_system_number: asn,
    autonomous_system_organization: name,
  });
  const writeCountries = (first: string) =>
    writeFileSync(countryDatabase, mmdbBytes({ '127.0.6.0/24': country(first), '127.0.7.0/24': country('FR') }));
  writeCountries('DE');
  writeFileSync(
    asnDatabase,
    mmdbBytes({ '127.0.6.0/24': network(64_500, 'First Ltd'), '127.0.7.0/24': network(64_501, 'Second Ltd') }),
  );
  const answer = async (path: string) =>
    path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null;
  const host = await listen('moved.example', '127.0.6.1', answer);
  await listen('elsewhere.example', '127.0.7.1', answer);
  const other = await listen('other.example', '127.0.7.2', async (path) =>
    path === '/api/v1/config' ? { app: { software: 'other' } } : null,
  );
  const unreachable = 'unreachable.example';
  addName(unreachable, '127.0.7.9');

  const base = settings({});
  const start = Date.now();
  /** What is recorded after a crawl so many days later; each crawl resolves the names again. */
  async function crawled(days: number, databases: object) {
    const all = { ...base, network: { ...base.network, ...databases } };
    await using app = await createApp(all, logger, { now: () => start + days * 86_400_000 });
    const only = parseDomains([host, other, unreachable], all);
    await app.crawl({ only, signal: new AbortController().signal, onCompleted: () => undefined });
    using reader = app.store.reader();
    const [moved, rest, none] = only.map((domain) => reader.domains.find(domain)?.host);
    expect(rest).toMatchObject({ address: '127.0.7.2' });
    expect(none).toMatchObject({ address: null, hosting: UNKNOWN_HOSTING });
    const changes = [...reader.changes.published()].filter(({ field }) => field.startsWith('hosting.'));
    return {
      ...moved?.hosting,
      other: rest?.hosting.country,
      changes: changes.map(({ field, from, to }) => [field, from, to]),
    };
  }
  const both = { countryDatabase, asnDatabase };
  const unknown = { country: null, asn: null, network: null, behind: null };
  expect(await crawled(0, {})).toEqual({ ...unknown, other: null, changes: [] });
  const first = { country: 'DE', asn: 64_500, network: 'First Ltd', behind: null, other: 'FR', changes: [] };
  expect(await crawled(1, both)).toEqual(first);
  // Without databases, what is known is kept.
  expect(await crawled(2, {})).toEqual(first);
  writeCountries('AT');
  const corrected = { ...first, country: 'AT' };
  expect(await crawled(3, both)).toEqual(corrected);

  addName('moved.example', '127.0.7.1');
  const moved = {
    ...{ country: 'FR', asn: 64_501, network: 'Second Ltd', behind: null, other: 'FR' },
    changes: [
      ['hosting.country', 'AT', 'FR'],
      ['hosting.asn', 64_500, 64_501],
      ['hosting.network', 'First Ltd', 'Second Ltd'],
    ],
  };
  expect(await crawled(4, both)).toEqual(moved);
  addName('moved.example', '127.0.6.1', '127.0.7.1');
  expect(await crawled(5, both)).toEqual(moved);
});

test('the newest release is read from flags.releaseUrl, and older versions are flagged outdated', async () => {
  const { listen, settings } = await createTestNetwork();
  const releaseServer = await listen('beacon.example', '127.0.4.1', async (path) =>
    path === '/latest.json' ? { version: '1.0.0' } : null,
  );
  const loops = (version: string) => async (path: string) =>
    path === '/api/v1/config' ? { app: { software: 'loops', version }, federation: false } : null;
  const old = await listen('old.example', '127.0.4.2', loops('1.0.0-beta.14'));
  const current = await listen('current.example', '127.0.4.3', loops('1.0.0'));
  await using app = await createApp(settings({}, { releaseUrl: `https://${releaseServer}/latest.json` }), logger);
  const { signal } = new AbortController();
  const only = parseDomains([old, current], app.settings);
  await app.crawl({ only, signal, onCompleted: () => undefined });
  expect(await app.readNewestVersion(signal)).toBe('1.0.0');
  using reader = app.store.reader();
  const flags = [...reader.instances.listed(Date.now())].map(({ domain, facts }) => [domain, facts.flags]);
  expect(flags).toEqual([
    [current, []],
    [old, ['outdated']],
  ]);
});

test('a release URL that resolves to this machine is refused, and an error about a missing version names the URL', async () => {
  const { listen, settings } = await createTestNetwork();
  const paths: string[] = [];
  const releaseServer = await listen('beacon.example', '127.0.5.1', async (path) => {
    paths.push(path);
    return { news: 'none' };
  });
  const releaseUrl = `https://${releaseServer}/latest.json`;
  const configured = settings({}, { releaseUrl });
  const { signal } = new AbortController();
  await using unguarded = await createApp(configured, logger);
  await expect(unguarded.readNewestVersion(signal)).rejects.toThrow(
    `flags.releaseUrl, ${releaseUrl}, gives no newest release`,
  );
  expect(paths).toEqual(['/latest.json']);
  await using guarded = await createApp({ ...configured, network: { ...configured.network, allow: [] } }, logger);
  await expect(guarded.readNewestVersion(signal)).rejects.toThrow('forbidden-address');
  expect(paths).toHaveLength(1);
});

test('the service rewrites unfinished monthly files at most once in bulkHours, counted from the last successful rewrite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const flags = { database: 'test.sqlite', export: { dir: 'export', bulkHours: 24 } };
  const settings = loadSettings({ file: null, env: {}, cwd: folder, flags });
  const hour = 3_600_000;
  /** Which monthly files each export was told to write. */
  const monthModes: string[] = [];
  let now = 0;
  let isBroken = true;
  const report = { files: [], counts: { instances: 0, domains: 0 } };
  const background = async (_name: string, input: object) => {
    monthModes.push('months' in input ? String(input.months) : '');
    if (isBroken) throw new Error('the disk is full');
    return report;
  };
  await using app = await createApp(settings, logger, { clock: () => now, background: background as never });
  const exportAt = async (hours: number) => {
    now = hours * hour;
    await app.publishing.exportInBackground(new AbortController().signal);
  };
  await expect(exportAt(0)).rejects.toThrow('the disk is full');
  isBroken = false;
  for (const hours of [1, 2, 24, 24.9, 25, 26]) await exportAt(hours);
  // At the hours 0 (failed), 1, 2, 24, 24.9, 25 and 26.
  expect(monthModes).toEqual([
    'rewrite-unfinished',
    'rewrite-unfinished',
    'only-missing',
    'only-missing',
    'only-missing',
    'rewrite-unfinished',
    'only-missing',
  ]);
});

test('after an offline crawl nothing is published until a visit succeeds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const flags = { database: 'test.sqlite', export: { dir: 'export' } };
  const settings = loadSettings({ file: null, env: {}, cwd: folder, flags });
  const [domain] = sampleDomains(1);
  if (domain === undefined) throw new Error('unreachable');
  const time = { ms: Date.UTC(2026, 0, 1) };
  const now = () => time.ms;
  let isOffline = false;
  const identifier: Identifier = {
    resolve: async (name) => ({ builder: createVisitBuilder(name, now, now), addresses: [] }),
    identify: async ({ builder }) => (isOffline ? unreachableVisit : loopsVisit)(builder.domain, now()),
    cancelAll() {},
  };
  const connectivity = { isHostAtFault: async () => !isOffline, hasOtherAnswered: () => true };
  await using app = await createApp(settings, logger, { now, identifier, connectivity });
  const { signal } = new AbortController();
  const crawl = () => app.crawl({ only: [domain], signal, onCompleted: () => undefined });
  expect(await crawl()).toBe('done');
  await app.publishing.export();
  isOffline = true;
  time.ms += 3_600_000;
  expect(await crawl()).toBe('offline');
  using reader = app.store.reader();
  expect(reader.crawler.offlineSince()).toBe(time.ms);
  await expect(app.publishing.export()).rejects.toThrow('the crawler was offline at 2026-01-01T01:00:00.000Z');
  isOffline = false;
  expect(await crawl()).toBe('done');
  expect((await app.publishing.export()).counts.instances).toBe(1);
});
