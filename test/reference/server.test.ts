import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReferenceServer, DatabaseError } from '../../src/reference/index.ts';

/** Any JSON document, so that tests can read its keys and elements without checking its shape. */
type Json = { [key: string]: Json } & Json[];
const fetchJson = async (url: string): Promise<Json> => (await fetch(url)).json() as Promise<Json>;

describe('createReferenceServer', () => {
  it('serves every field of the configuration resource, of the specified type', async () => {
    await using server = await createReferenceServer();
    expect(await fetchJson(`${server.url}/api/v1/config`)).toEqual({
      app: {
        name: expect.any(String),
        url: server.url,
        description: expect.any(String),
        software: 'loops',
        version: '1.0.0-beta.14',
      },
      media: { max_video_size: 40, max_video_duration: 180, allowed_video_formats: ['mp4'] },
      fyf: true,
      registration: true,
      registration_mode: 'open',
      federation: true,
      pushNotifications: false,
      starterKits: true,
      atomFeeds: true,
      hasGifProvider: false,
      account: { max_bio_length: 500 },
    });
  });

  it('leads from the discovery document to a NodeInfo document that names the software', async () => {
    await using server = await createReferenceServer();
    const discovery = await fetchJson(`${server.url}/.well-known/nodeinfo`);
    expect(discovery).toEqual({
      links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${server.url}/nodeinfo/2.0` }],
    });
    expect(await fetchJson(`${discovery.links?.[0]?.href}`)).toEqual({
      version: '2.0',
      software: { name: 'loops', version: '1.0.0-beta.14' },
      protocols: ['activitypub'],
      services: { inbound: [], outbound: [] },
      openRegistrations: true,
      usage: { users: { total: 4, activeMonth: 3, activeHalfyear: 4 }, localPosts: 20 },
      metadata: { nodeName: 'Loops Reference', nodeDescription: expect.any(String) },
    });
  });

  it('merges options into the defaults at every depth', async () => {
    await using server = await createReferenceServer({
      config: { app: { version: '9.0.0' }, media: { allowed_video_formats: ['webm'] } },
      missingConfigKeys: ['account'],
      usage: { users: { total: 3 } },
      nodeInfo: { openRegistrations: false },
    });
    const config = await fetchJson(`${server.url}/api/v1/config`);
    expect(config.app).toMatchObject({ software: 'loops', version: '9.0.0' });
    expect(config.media).toEqual({ max_video_size: 40, max_video_duration: 180, allowed_video_formats: ['webm'] });
    expect(config).not.toHaveProperty('account');
    expect(await fetchJson(`${server.url}/nodeinfo/2.0`)).toMatchObject({
      software: { name: 'loops', version: '9.0.0' },
      usage: { users: { total: 3, activeMonth: 3 } },
      openRegistrations: false,
    });
  });

  it('accepts undefined as an option, and any type for a value that the server sends without using it', async () => {
    const options: object = {
      profile: undefined,
      now: undefined,
      config: { app: { name: 5 }, fyf: 'yes' },
      usage: { localPosts: '7' },
      nodeInfo: { openRegistrations: null },
      accounts: [{ username: 'ada', follower_count: 'many' }],
    };
    await using server = await createReferenceServer(options);
    expect(await fetchJson(`${server.url}/api/v1/config`)).toMatchObject({ app: { name: 5 }, fyf: 'yes' });
    expect(await fetchJson(`${server.url}/nodeinfo/2.0`)).toMatchObject({
      openRegistrations: null,
      usage: { localPosts: '7' },
    });
  });

  it('shares no state with another server or its options', async () => {
    const options = {
      config: { media: { allowed_video_formats: ['webm'] } },
      nodeInfo: { protocols: ['activitypub'] },
    };
    await using changed = await createReferenceServer(options);
    await using unchanged = await createReferenceServer(options);
    const readDocuments = () =>
      Promise.all(['/nodeinfo/2.0', '/api/v1/config'].map((path) => fetchJson(unchanged.url + path)));
    const before = await readDocuments();
    const { config, usage, nodeInfo, missingConfigKeys } = changed.state;
    Object.assign(usage, { localPosts: 7 });
    Object.assign(usage.users, { total: 8 });
    config.media.allowed_video_formats.push('mp4');
    nodeInfo.protocols?.push('other');
    missingConfigKeys.push('account');
    expect(await readDocuments()).toEqual(before);
    expect(options.config.media.allowed_video_formats).toEqual(['webm']);
    expect(options.nodeInfo.protocols).toEqual(['activitypub']);
  });

  it('answers unknown routes with 404 and a message', async () => {
    await using server = await createReferenceServer();
    for (const path of ['/', '/api/v1/unknown', '/nodeinfo/2.1', '/robots.txt']) {
      const response = await fetch(server.url + path);
      expect([path, response.status, await response.json()]).toEqual([path, 404, { message: 'Not Found.' }]);
    }
  });

  it('stops listening when closed; close is idempotent', async () => {
    const server = await createReferenceServer();
    await fetchJson(`${server.url}/api/v1/config`);
    await server.close();
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('makes its data unreadable when closed, even if the data was never read before', async () => {
    const server = await createReferenceServer();
    const neverRead = await createReferenceServer();
    expect(server.state.data.apps.count()).toBe(0);
    await server.close();
    await neverRead.close();
    for (const { state } of [server, neverRead]) expect(() => state.data).toThrow('The server is closed');
  });

  it('throws when the port is taken', async () => {
    await using server = await createReferenceServer();
    await expect(createReferenceServer({ port: Number(new URL(server.url).port) })).rejects.toThrow('EADDRINUSE');
  });
});

describe('while a server runs', () => {
  const statusOf = async (url: string) => (await fetch(url)).status;

  it('every value of config can be changed, and the next answer shows it', async () => {
    await using server = await createReferenceServer();
    const { config } = server.state;
    const flags = [
      'fyf',
      'registration',
      'federation',
      'pushNotifications',
      'starterKits',
      'atomFeeds',
      'hasGifProvider',
    ] as const;
    for (const flag of flags) {
      config[flag] = !config[flag];
      expect((await fetchJson(`${server.url}/api/v1/config`))[flag]).toBe(config[flag]);
    }
    config.app = { name: 'A', url: 'https://a.example', description: 'B', software: 'other', version: '2.0.0' };
    config.media = { max_video_size: 1, max_video_duration: 2, allowed_video_formats: [] };
    config.registration_mode = 'closed';
    config.account.max_bio_length = 3;
    expect(await fetchJson(`${server.url}/api/v1/config`)).toEqual(config);
    server.state.missingConfigKeys = ['fyf', 'account'];
    const configWithoutKeys = await fetchJson(`${server.url}/api/v1/config`);
    expect(configWithoutKeys).not.toHaveProperty('fyf');
    expect(configWithoutKeys).not.toHaveProperty('account');
  });

  it('the version and the counts of NodeInfo can be changed, and `nodeInfo` overrides them', async () => {
    await using server = await createReferenceServer();
    server.state.config.app.version = '3.1.4';
    server.state.usage = { users: { total: 1, activeMonth: 2, activeHalfyear: 3 }, localPosts: 4 };
    expect(await fetchJson(`${server.url}/nodeinfo/2.0`)).toMatchObject({
      software: { version: '3.1.4' },
      usage: { users: { total: 1, activeMonth: 2, activeHalfyear: 3 }, localPosts: 4 },
    });
    server.state.nodeInfo = { software: { version: '0.1' }, usage: { localPosts: 7 } };
    expect(await fetchJson(`${server.url}/nodeinfo/2.0`)).toMatchObject({
      software: { name: 'loops', version: '0.1' },
      usage: { users: { total: 1 }, localPosts: 7 },
    });
  });

  it('the profile, robots.txt and the base URL can be changed', async () => {
    await using server = await createReferenceServer();
    expect(await statusOf(`${server.url}/@somebody`)).toBe(404);
    server.state.profile = 'live';
    expect(await statusOf(`${server.url}/@somebody`)).toBe(200);
    server.state.robots = 'User-agent: *';
    expect(await (await fetch(`${server.url}/robots.txt`)).text()).toBe('User-agent: *');
    server.state.robots = null;
    expect(await statusOf(`${server.url}/robots.txt`)).toBe(404);
    server.state.url = 'https://elsewhere.example';
    expect((await fetchJson(`${server.url}/.well-known/nodeinfo`)).links?.[0]?.href).toMatch(
      /^https:\/\/elsewhere\.example\//,
    );
  });

  it('robots.txt and the rate limit follow the profile, unless they are set', async () => {
    await using server = await createReferenceServer();
    const { state } = server;
    const robotsAndLimit = async () => {
      const { headers } = await fetch(`${server.url}/api/v1/config`);
      return [await statusOf(`${server.url}/robots.txt`), headers.get('x-ratelimit-limit')];
    };
    expect(await robotsAndLimit()).toEqual([404, null]);
    state.profile = 'live';
    expect(await robotsAndLimit()).toEqual([200, '60']);
    state.robots = null;
    state.rateLimit = { perMinute: 7, perHour: 700 };
    expect(await robotsAndLimit()).toEqual([404, '7']);
    state.profile = 'spec';
    expect(await robotsAndLimit()).toEqual([404, '7']);
    state.robots = undefined;
    state.rateLimit = undefined;
    expect(await robotsAndLimit()).toEqual([404, null]);
    state.profile = 'live';
    expect(await robotsAndLimit()).toEqual([200, '60']);
    // A change of the limit of one server does not change the default for other servers.
    if (state.rateLimit !== null) state.rateLimit.perMinute = 9;
    await using other = await createReferenceServer({ profile: 'live' });
    expect([state.rateLimit, other.state.rateLimit]).toEqual([
      { perMinute: 9, perHour: 700 },
      { perMinute: 60, perHour: 700 },
    ]);
  });

  it('the delay can be changed, for every route', async () => {
    await using server = await createReferenceServer();
    const timeOf = async (path: string) => {
      const startedAt = performance.now();
      await (await fetch(server.url + path)).text();
      return performance.now() - startedAt;
    };
    await timeOf('/api/v1/config');
    server.state.delayMs = 120;
    // A timer may fire up to 1 ms early.
    for (const path of ['/api/v1/config', '/nodeinfo/2.0', '/no/such/page']) {
      expect(await timeOf(path)).toBeGreaterThanOrEqual(119);
    }
    server.state.delayMs = [60, 70];
    expect(await timeOf('/api/v1/config')).toBeGreaterThanOrEqual(59);
    server.state.delayMs = 60_000;
    server.state.delayMs = 0;
    await timeOf('/api/v1/config');
  });

  it('faults can be set and removed', async () => {
    await using server = await createReferenceServer();
    server.state.faults.push({ route: '*', fault: 'server-error' });
    expect(await statusOf(`${server.url}/api/v1/config`)).toBe(500);
    server.state.faults = [];
    expect(await statusOf(`${server.url}/api/v1/config`)).toBe(200);
  });

  it('the rate limit can be set and lifted', async () => {
    await using server = await createReferenceServer();
    server.state.rateLimit = { perMinute: 1, perHour: 10 };
    expect([await statusOf(`${server.url}/api/v1/config`), await statusOf(`${server.url}/api/v1/config`)]).toEqual([
      200, 429,
    ]);
    server.state.rateLimit = null;
    expect(await statusOf(`${server.url}/api/v1/config`)).toBe(200);
  });
});

describe('an invalid option', () => {
  it.for<[options: object, problem: string]>([
    [
      {
        faults: [
          { route: '*', fault: 'close' },
          { route: 'api', fault: 'explode' },
        ],
      },
      'faults[1].fault is "explode"; ',
    ],
    [{ profile: 'lvie' }, 'profile is "lvie"; Invalid option: expected one of "spec"|"live"'],
    [{ delayMs: [5, 1] }, 'delayMs is [5,1]; '],
    [{ lifetimes: { code: '60' } }, 'lifetimes.code is "60"; '],
    [{ limits: { app: 3 } }, 'limits.app is not a known key; allowed: apps, codes, tokens, sessions'],
    [{ url: 'example.com' }, 'url is "example.com"; must be an absolute http or https URL'],
    [
      { rateLimit: { perMinute: '5', perHour: 5 } },
      'rateLimit.perMinute is "5"; Invalid input: expected number, received string',
    ],
    [{ porf: 80 }, 'porf is not a known key; '],
    [{ now: 5 }, 'now is 5; must be a function'],
    [{ accounts: [{ name: 'Ada' }] }, 'accounts[0].username is missing; '],
  ])('is refused at the start, with its path: %o', async ([options, problem]) => {
    await expect(createReferenceServer(options)).rejects.toThrow(`the options: ${problem}`);
  });

  it('is reported together with all other invalid options', async () => {
    const options = { profile: 'lvie', seed: -1 } as never;
    await expect(createReferenceServer(options)).rejects.toThrow(/^the options: profile is .*\nthe options: seed is /);
  });

  it('is also refused while a server runs, and the old value stays', async () => {
    await using server = await createReferenceServer({ profile: 'live', delayMs: 0 });
    for (const change of [
      { profile: 'lvie' },
      { delayMs: [5, 1] },
      { rateLimit: { perMinute: '5', perHour: 5 } },
      { robots: 5 },
      { faults: 'none' },
    ]) {
      const [key = ''] = Object.keys(change);
      const before = Reflect.get(server.state, key);
      expect(() => Object.assign(server.state, change)).toThrow(`the state: ${key}`);
      expect(Reflect.get(server.state, key)).toBe(before);
    }
  });
});

describe('several servers', () => {
  it('share no data', async () => {
    await using first = await createReferenceServer({ config: { app: { name: 'First' } } });
    await using second = await createReferenceServer({ config: { app: { name: 'Second' } }, tls: true });
    await using third = await createReferenceServer();
    expect(new Set([first.port, second.port, third.port]).size).toBe(3);
    first.state.faults = [{ route: '*', fault: 'close' }];
    first.state.data.apps.register({ name: 'App', website: '', redirectUris: ['a:b'], scopes: ['read'] }, 0);
    expect((await fetchJson(`${third.url}/api/v1/config`)).app?.name).toBe('Loops Reference');
    expect([second, third].map(({ state }) => state.data.apps.count())).toEqual([0, 0]);
  });

  it('report their configured URL, but listen on a local address', async () => {
    await using server = await createReferenceServer({ url: 'https://loops.example/' });
    expect([server.url, server.state.config.app.url]).toEqual(['https://loops.example', 'https://loops.example']);
    const { links } = await fetchJson(`http://127.0.0.1:${server.port}/.well-known/nodeinfo`);
    expect(links?.[0]?.href).toBe('https://loops.example/nodeinfo/2.0');
  });
});

describe('the database of a server', () => {
  it('is opened at the start, so that an unusable file fails the start and leaves the port free', async () => {
    await using closed = await createReferenceServer();
    const { port } = closed;
    await closed.close();
    const database = join(tmpdir(), 'no-such-folder-of-loopscout', 'a.sqlite');
    await expect(createReferenceServer({ port, database })).rejects.toThrow(DatabaseError);
    await using server = await createReferenceServer({ port });
    expect(server.port).toBe(port);
  });

  it('is closed with the server, and keeps its data when reopened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
    try {
      const database = join(folder, 'a.sqlite');
      const first = await createReferenceServer({ database });
      first.state.data.apps.register({ name: 'App', website: '', redirectUris: ['a:b'], scopes: ['read'] }, 0);
      await first.close();
      // SQLite removes its `-wal` and `-shm` files when a database is closed.
      expect(readdirSync(folder)).toEqual(['a.sqlite']);
      await using second = await createReferenceServer({ database });
      expect(second.state.data.apps.count()).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the profile live', () => {
  it('sends hasKlipy instead of hasGifProvider, and links NodeInfo 2.1 after 2.0', async () => {
    await using server = await createReferenceServer({ profile: 'live', config: { hasGifProvider: true } });
    const config = await fetchJson(`${server.url}/api/v1/config`);
    expect(config.hasKlipy).toBe(true);
    expect(config).not.toHaveProperty('hasGifProvider');
    const { links } = await fetchJson(`${server.url}/.well-known/nodeinfo`);
    expect(links?.map(({ href }) => href)).toEqual([`${server.url}/nodeinfo/2.0`, `${server.url}/nodeinfo/2.1`]);
    expect(await fetchJson(`${server.url}/nodeinfo/2.1`)).toMatchObject({
      version: '2.1',
      software: { name: 'loops' },
    });
  });

  it('hides NodeInfo while federation is off', async () => {
    await using server = await createReferenceServer({ profile: 'live', config: { federation: false } });
    const paths = ['/.well-known/nodeinfo', '/nodeinfo/2.0', '/nodeinfo/2.1'];
    const fetchStatuses = async () => Promise.all(paths.map(async (path) => (await fetch(server.url + path)).status));
    expect(await fetchStatuses()).toEqual([404, 404, 404]);
    server.state.config.federation = true;
    expect(await fetchStatuses()).toEqual([200, 200, 200]);
  });

  it('ships a robots.txt that disallows config and allows NodeInfo', async () => {
    await using server = await createReferenceServer({ profile: 'live' });
    const response = await fetch(`${server.url}/robots.txt`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const lines = (await response.text()).split('\n');
    expect(lines[0]).toBe('User-agent: *');
    expect(lines).toEqual(expect.arrayContaining(['Disallow: /api/', 'Allow: /nodeinfo/2.0', 'Allow: /']));
    expect(lines).not.toContain('Allow: /api/v1/config');
  });

  it('answers unknown pages with the web app and the escaped server name, unknown API routes with 404', async () => {
    await using server = await createReferenceServer({ profile: 'live', config: { app: { name: '<b>"Clips"' } } });
    const page = await fetch(`${server.url}/@nobody`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<title>&#60;b&#62;&#34;Clips&#34;</title>');
    expect((await fetch(`${server.url}/@nobody`, { method: 'HEAD' })).status).toBe(200);
    const post = await fetch(`${server.url}/@nobody`, { method: 'POST', body: 'a' });
    expect([post.status, post.headers.get('allow'), await post.json()]).toEqual([
      405,
      'GET, HEAD',
      { message: 'The POST method is not supported here.' },
    ]);
    const route = await fetch(`${server.url}/api/v1/unknown`);
    expect([route.status, await route.json()]).toEqual([404, { message: 'Not Found.' }]);
  });
});
