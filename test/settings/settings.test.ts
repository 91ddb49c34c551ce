import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { settingKeys } from '../../src/settings/keys.ts';
import { loadSettings, SettingsError, settingsJsonSchema } from '../../src/settings/settings.ts';

const repository = join(import.meta.dirname, '../..');
let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'settings-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

const write = (content: unknown, name = 'crawler.config.json') =>
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));

const load = (options: Parameters<typeof loadSettings>[0] = {}) => loadSettings({ cwd, env: {}, ...options });

const problemsOf = (options: Parameters<typeof loadSettings>[0] = {}) => {
  try {
    load(options);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

describe('settings', () => {
  it('have a default for every key, so that no file is needed', () => {
    expect(load()).toEqual({
      softwareId: 'loops',
      contact: 'https://example.org/bot',
      database: join(cwd, 'data/loopscout.sqlite'),
      sources: [],
      domains: { allowSuffixes: [], mostPerRegistrable: 1_000, mostPortsPerHost: 4 },
      optOut: { file: null },
      queue: {
        concurrency: 64,
        visitsPerSecond: 20,
        perAddress: 4,
        perRegistrableDomain: 8,
        engine: null,
      },
      network: {
        allow: [],
        dnsServers: [],
        dnsTimeoutMs: 2_000,
        dnsConcurrency: 100,
        caFile: null,
        countryDatabase: null,
        asnDatabase: null,
        localAddress: null,
        timeouts: { connectMs: 5_000, responseMs: 10_000, visitMs: 30_000 },
        maxBodyBytes: 262_144,
      },
      robots: 'standard',
      cadence: expect.objectContaining({ loopsHours: 6, jitter: 0.1, deadAfterFailures: 6, deadAfterDays: 7 }),
      retention: { stepsDays: 30, documentsDays: 30, visitsDays: 400, usageDays: 400, unlistedDays: 90 },
      flags: { crowdedFrom: 10, staleDays: 7, releaseUrl: null },
      jobs: {
        crawl: '*/5 * * * * *',
        files: '*/10 * * * * *',
        sources: '*/10 * * * *',
        export: '*/15 * * * *',
        upkeep: '41 * * * *',
        health: '*/10 * * * *',
        maxDelaySeconds: 300,
      },
      service: { shutdownSeconds: 35 },
      export: {
        dir: join(cwd, 'data/export'),
        site: null,
        siteUrl: null,
        licence: null,
        doi: null,
        bulkHours: 24,
        maxDropPercent: 15,
      },
      serve: {
        host: '127.0.0.1',
        port: 8080,
        ratePerMinute: 120,
        trustProxy: false,
        submissions: false,
        submissionsPerHour: 10,
        check: false,
      },
      site: {
        ...{
          name: 'Loopscout',
          text: null,
          logo: null,
          icon: null,
          accent: null,
          language: 'en',
          words: null,
          liveUrl: null,
        },
        links: { imprint: null, privacy: null, contact: null, source: null },
      },
      log: { level: 'info' },
    });
  });

  it('come from flags first, then the environment, the file and the defaults', () => {
    write({ queue: { concurrency: 1, perAddress: 1, visitsPerSecond: 1 } });
    const env = { LOOPSCOUT_QUEUE_PER_ADDRESS: '2', LOOPSCOUT_QUEUE_VISITS_PER_SECOND: '2.5' };
    const { queue } = load({ env, flags: ['queue.visitsPerSecond=0'] });
    expect(queue).toMatchObject({ concurrency: 1, perAddress: 2, visitsPerSecond: 0, perRegistrableDomain: 8 });
  });

  it('accept flags as an object too', () => {
    write({ serve: { host: '127.0.0.2', port: 1 } });
    expect(load({ flags: { serve: { port: 0 } } }).serve).toMatchObject({ host: '127.0.0.2', port: 0 });
  });

  it('are deeply frozen', () => {
    const settings = load();
    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(settings.network.timeouts)).toBe(true);
    expect(Object.isFrozen(settings.sources)).toBe(true);
  });

  it('resolve relative paths of the file against its folder, and those of flags and environment against the current one', () => {
    mkdirSync(join(cwd, 'etc'));
    write(
      { database: 'a.sqlite', sources: [{ type: 'file', path: '../b.txt' }], network: { caFile: '/c.pem' } },
      'etc/x.json',
    );
    const settings = load({ file: 'etc/x.json' });
    expect(settings.database).toBe(join(cwd, 'etc/a.sqlite'));
    expect(settings.sources).toMatchObject([{ type: 'file', path: join(cwd, 'b.txt'), key: 'domain', enabled: true }]);
    expect(settings.network.caFile).toBe('/c.pem');
    expect(settings.export.dir).toBe(join(cwd, 'etc/data/export'));
    const overridden = load({ file: 'etc/x.json', env: { LOOPSCOUT_DATABASE: 'd.sqlite' }, flags: ['export.dir=out'] });
    expect(overridden.database).toBe(join(cwd, 'd.sqlite'));
    expect(overridden.export.dir).toBe(join(cwd, 'out'));
  });

  it('of the repository are valid', () => {
    const settings = loadSettings({ file: join(repository, 'crawler.config.json'), env: {} });
    const [file, ...others] = settings.sources;
    expect(file).toMatchObject({
      type: 'file',
      path: join(repository, 'data/seeds.txt'),
      key: 'domain',
      enabled: true,
    });
    expect(others.every(({ note }) => note !== undefined)).toBe(true);
    // Only public APIs that list the Loops servers in one or two requests a day are enabled by default. Other sources need the
    // consent of their owners.
    const enabled = others.filter((source) => source.enabled).map(({ type }) => type);
    expect(enabled).toEqual(['fediverse-observer']);
  });
});

describe('the environment', () => {
  it('has one distinct variable for every setting', () => {
    const keys = settingKeys(settingsJsonSchema());
    const variables = keys.map(({ variable }) => variable);
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables).toContain('LOOPSCOUT_NETWORK_TIMEOUTS_CONNECT_MS');
    expect(variables).toContain('LOOPSCOUT_CADENCE_DOWN_FIRST_DAY_HOURS');
    expect(keys.map(({ name }) => name)).not.toContain('$schema');
  });

  it('takes a string literally, a list as JSON or separated by commas, other values as JSON', () => {
    const { softwareId, network, sources } = load({
      env: {
        LOOPSCOUT_SOFTWARE_ID: '3',
        LOOPSCOUT_NETWORK_DNS_SERVERS: '127.0.0.1:53, [::1]:53',
        LOOPSCOUT_NETWORK_ALLOW: '["127.0.0.0/8"]',
        LOOPSCOUT_NETWORK_CA_FILE: '',
        LOOPSCOUT_SOURCES: '[{"type":"file","path":"a.txt"}]',
        LOOPSCOUT_QUEUE_CONCURRENCY: undefined,
        PATH: 'ignored',
      },
    });
    expect(softwareId).toBe('3');
    expect(network).toMatchObject({ dnsServers: ['127.0.0.1:53', '[::1]:53'], allow: ['127.0.0.0/8'], caFile: null });
    expect(sources).toMatchObject([{ type: 'file', path: join(cwd, 'a.txt'), key: 'domain', enabled: true }]);
  });

  it('must not hold an unknown LOOPSCOUT_ variable or a value of the wrong type', () => {
    expect(
      problemsOf({ env: { LOOPSCOUT_QUEUE_CONCURENCY: '4', LOOPSCOUT_SERVE_PORT: 'http', LOOPSCOUT_SOURCES: '[' } }),
    ).toEqual([
      {
        where: 'the environment',
        key: 'LOOPSCOUT_QUEUE_CONCURENCY',
        value: 'not a setting; did you mean LOOPSCOUT_QUEUE_CONCURRENCY?',
        allowed: null,
      },
      {
        where: 'LOOPSCOUT_SOURCES',
        key: 'sources',
        value: '"["',
        allowed: 'a list',
      },
      { where: 'LOOPSCOUT_SERVE_PORT', key: 'serve.port', value: '"http"', allowed: 'a whole number' },
    ]);
  });
});

describe('invalid settings', () => {
  it('are all reported at once, one line each', () => {
    write({ queue: { concurrency: 0, concurency: 5 }, robots: 'no', extra: { a: 1 } });
    const options = {
      env: { LOOPSCOUT_SERVE_PORT: '70000' },
      flags: ['queue.perAddress=-1', 'visitsPerSecond=3', 'robots'],
    };
    expect(() => load(options)).toThrow(
      [
        'the command line: visitsPerSecond is not a setting; did you mean queue.visitsPerSecond?',
        'the command line: robots is given without a value; write robots=VALUE',
        'crawler.config.json: queue.concurrency is 0; allowed: a number of at least 1',
        'the command line: queue.perAddress is -1; allowed: a number of at least 0',
        'crawler.config.json: queue.concurency is not a setting; did you mean queue.concurrency?',
        'crawler.config.json: robots is "no"; allowed: one of "standard", "strict", "off"',
        'LOOPSCOUT_SERVE_PORT: serve.port is 70000; allowed: a number of at most 65535',
        'crawler.config.json: extra is not a setting; loopscout settings lists them all',
      ].join('\n'),
    );
  });

  it('with an unknown source type are reported with all types and the nearest one', () => {
    write({ sources: [{ type: 'mastodon-peer', url: 'https://clips.example' }] });
    expect(() => load()).toThrow(
      /sources\[0\]\.type is "mastodon-peer"; allowed: one of "file", .*"fedidb", "crawled"; did you mean "mastodon-peers"\?$/,
    );
  });

  it.each([
    ['foo', 'loopscout settings lists them all'],
    ['lag', 'did you mean log?'],
    ['robot', 'did you mean robots?'],
    ['test', 'loopscout settings lists them all'],
  ])('with the unknown key %s are reported with a similar key, if there is one', (key, hint) => {
    write({ [key]: 1 });
    expect(() => load()).toThrow(
      expect.objectContaining({
        message: `crawler.config.json: ${key} is not a setting; ${hint}`,
      }),
    );
  });

  it.each([
    [{ softwareId: '' }, 'softwareId'],
    [{ softwareId: 'loops ' }, 'softwareId'],
    [{ contact: 'http://example.org' }, 'contact'],
    [{ contact: 'https://' }, 'contact'],
    [{ contact: 'https://example.org/\r\nX: y' }, 'contact'],
    [{ contact: 'https://example.org/(bot)' }, 'contact'],
    [{ contact: 'nobody' }, 'contact'],
    [{ contact: 'mailto:nobody' }, 'contact'],
    [{ database: '' }, 'database'],
    [{ database: null }, 'database'],
    [{ sources: {} }, 'sources'],
    [{ sources: ['data/seeds.txt'] }, 'sources[0]'],
    [{ sources: [{ type: 'files', path: 'x' }] }, 'sources[0].type'],
    [{ sources: [{ type: 'file' }] }, 'sources[0].path'],
    [{ sources: [{ type: 'file', path: 'x', format: 'xml' }] }, 'sources[0].format'],
    [{ sources: [{ type: 'file', path: 'x', pth: 'x' }] }, 'sources[0].pth'],
    [
      {
        sources: [
          { type: 'file', path: 'x' },
          { type: 'file', path: 'x' },
        ],
      },
      'sources[1]',
    ],
    [
      {
        sources: [
          { type: 'file', path: 'x', id: 'one' },
          { type: 'json', url: 'https://x.example/', id: 'one' },
        ],
      },
      'sources[1]',
    ],
    [{ domains: { allowSuffixes: ['.test'] } }, 'domains.allowSuffixes[0]'],
    [{ queue: [] }, 'queue'],
    [{ queue: { concurrency: '64' } }, 'queue.concurrency'],
    [{ queue: { concurrency: 1.5 } }, 'queue.concurrency'],
    [{ queue: { perAddress: null } }, 'queue.perAddress'],
    [{ queue: { visitsPerSecond: -1 } }, 'queue.visitsPerSecond'],
    [{ network: { allow: '127.0.0.1/32' } }, 'network.allow'],
    [{ network: { allow: ['127.0.0.1'] } }, 'network.allow[0]'],
    [{ network: { allow: ['127.1/8'] } }, 'network.allow[0]'],
    [{ network: { allow: ['127.0.0.1/33'] } }, 'network.allow[0]'],
    [{ network: { allow: ['::1/129'] } }, 'network.allow[0]'],
    [{ network: { dnsServers: ['dns.example'] } }, 'network.dnsServers[0]'],
    [{ network: { dnsServers: ['127.0.0.1:0'] } }, 'network.dnsServers[0]'],
    [{ network: { dnsServers: ['127.0.0.1:65536'] } }, 'network.dnsServers[0]'],
    [{ network: { dnsServers: ['[::1'] } }, 'network.dnsServers[0]'],
    [{ network: { dnsServers: ['[127.0.0.1]:53'] } }, 'network.dnsServers[0]'],
    [{ network: { timeouts: { connectMs: 0 } } }, 'network.timeouts.connectMs'],
    [{ cadence: { jitter: 1 } }, 'cadence.jitter'],
    [{ cadence: { loopsHours: 0 } }, 'cadence.loopsHours'],
    [{ serve: { port: -1 } }, 'serve.port'],
    [{ log: { level: 'loud' } }, 'log.level'],
    [JSON.parse('{"__proto__": {"concurrency": 1}}'), '__proto__'],
    [[], 'the document'],
    ['text', 'the document'],
  ])('%j: the key %s is named', (content, key) => {
    write(JSON.stringify(content));
    const problems = problemsOf();
    expect(problems).toMatchObject([{ where: 'crawler.config.json', key }]);
    // The problem of an unknown key has a hint; that of a value says what is allowed.
    for (const { value, allowed } of problems)
      expect(allowed ?? value).toMatch(allowed === null ? /^not a setting; ./ : /./);
  });

  // What is invalid, the sources, the key below `sources[0]`, and what the problem says is allowed.
  it.each([
    ['an invalid selector', [{ type: 'page', url: 'https://x.example/', selector: 'a[' }], '.selector', /CSS selector/],
    ['a blank selector', [{ type: 'page', url: 'https://x.example/', selector: ' ' }], '.selector', /CSS selector/],
    [
      'a tag instead of a selector',
      [{ type: 'page', url: 'https://x.example/', selector: '<a>' }],
      '.selector',
      /CSS selector/,
    ],
    ['an invalid next link', [{ type: 'page', url: 'https://x.example/', next: 'a:nope' }], '.next', /CSS selector/],
    ['a depth without peers', [{ type: 'crawled', depth: 2 }], '.depth', /add "peers": true/],
    ['a depth of 0', [{ type: 'crawled', depth: 0, peers: true }], '.depth', /at least 1/],
    ...['mastodon-peers', 'lemmy-federated', 'misskey-instances', 'peertube-follows', 'fedidb'].flatMap((type) =>
      ['https://x.example/about', 'https://x.example/?a=b', 'https://x.example/#a', 'https://x.example?'].map(
        (url) => [`${type} at ${url}`, [{ type, url }], '.url', /without path and query/] as const,
      ),
    ),
    ['a server that is not a URL', [{ type: 'mastodon-peers', url: 'x.example' }], '.url', /https or http URL/],
    ['a wildcard for the software', [{ type: 'fedidb', software: '*.x' }], '.software', /name of software/],
    ['an empty software', [{ type: 'fediverse-observer', software: '' }], '.software', /name of software/],
    [
      'a software path with a wildcard',
      [{ type: 'json', url: 'https://x.example/', software: '*.x' }],
      '.software',
      /a single value/,
    ],
    [
      'an empty software path',
      [{ type: 'json', url: 'https://x.example/', software: '' }],
      '.software',
      /a dotted path/,
    ],
    ...[
      ['data', 'data.*.host'],
      ['data.next', 'data.*'],
      ['next', '*'],
    ].map(
      ([path, hosts]) =>
        [
          `a cursor at ${path} of a list at ${hosts}`,
          [{ type: 'json', url: 'https://x.example/', hosts, next: { by: 'cursor', path } }],
          '.next.path',
          /outside the list/,
        ] as const,
    ),
    [
      'a cursor path with a wildcard',
      [{ type: 'json', url: 'https://x.example/', hosts: 'data.*', next: { by: 'cursor', path: 'meta.*.a' } }],
      '.next.path',
      /a single value/,
    ],
    [
      'a software key of a text file',
      [{ type: 'file', path: 'x.txt', softwareKey: 'a' }],
      '.softwareKey',
      /"software" sets/,
    ],
    ['an empty software of a file', [{ type: 'file', path: 'x.txt', software: '' }], '.software', /name of software/],
    ['an interval of less than an hour', [{ type: 'file', path: 'x', everyHours: 0.01 }], '.everyHours', /at least 1$/],
    ['an interval of ten years', [{ type: 'file', path: 'x', everyHours: 87_600 }], '.everyHours', /at most 8760$/],
    ['a limit of 0', [{ type: 'file', path: 'x', most: 0 }], '.most', /at least 1$/],
    ['a limit of a billion', [{ type: 'file', path: 'x', most: 1e9 }], '.most', /at most 10000000$/],
    ['a limit of half a domain', [{ type: 'file', path: 'x', most: 0.5 }], '.most', /whole number/],
  ] as const)('of a source, %s, are reported with key and cure', (_name, sources, key, allowed) => {
    write({ sources });
    expect(problemsOf()).toEqual([
      expect.objectContaining({ key: `sources[0]${key}`, allowed: expect.stringMatching(allowed) }),
    ]);
  });

  it.each([
    ['99 * * * *', 'minute: 99 is a invalid expression for minute'],
    ['0 0 31 2 *', 'dayOfMonth: 31 2 is an impossible day of month for the given month'],
    ['often', 'expression: expected 5 or 6 fields but got 1'],
    ['', 'expression: pattern includes illegal characters'],
  ])('with the invalid cron expression %j are reported with an example', (expression, why) => {
    write({ jobs: { export: expression } });
    expect(problemsOf()).toEqual([
      {
        where: 'crawler.config.json',
        key: 'jobs.export',
        value: JSON.stringify(expression),
        allowed: `a cron expression such as "*/15 * * * *" (${why})`,
      },
    ]);
  });

  it.each(['*.loops', 'loops?', '*'])('with a wildcard for the software, %s, are refused', (softwareId) => {
    write({ softwareId });
    expect(problemsOf()).toMatchObject([{ key: 'softwareId', allowed: expect.stringContaining('exactly') }]);
  });

  it.each([
    ['https://x.example/~a', 'https://X.Example:443/~a'],
    ['https://x.example/~a', 'https://x.example./~a'],
    ['https://x.example/~a', 'https://x.example/%7Ea'],
    ['https://x.example/~a', 'https://x.example/%7ea#list'],
    ['https://x.example/a?b=%2f', 'https://x.example/%61?b=%2F'],
    ['https://x.example/a', 'https://x.example/a?'],
    ['http://x.example:80', 'http://x.example/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example'],
  ])('with two spellings of the same source, %s and %s, are refused', (first, second) => {
    write({ sources: [first, second].map((url) => ({ type: 'json', url })) });
    expect(problemsOf()).toMatchObject([{ key: 'sources[1]', allowed: expect.stringContaining('leave one out') }]);
  });

  it('with a source id that is the default id of another source are refused', () => {
    write({ sources: [{ type: 'crawled' }, { type: 'file', path: 'x', id: 'crawled' }] });
    expect(problemsOf()).toMatchObject([{ key: 'sources[1]', allowed: expect.stringContaining('"crawled"') }]);
  });

  it('are reported with the file that sets them, not with a higher layer', () => {
    write({ queue: 5 });
    expect(problemsOf({ env: { LOOPSCOUT_QUEUE_CONCURRENCY: '3' } })).toMatchObject([
      { where: 'crawler.config.json', key: 'queue', value: '5' },
    ]);
  });

  it('are ignored if a higher layer overrides them', () => {
    write({ queue: { concurrency: 0 } });
    expect(load({ flags: ['queue.concurrency=3'] }).queue.concurrency).toBe(3);
  });
});

describe('valid settings', () => {
  it.each([
    ['https://x.example/a', 'https://x.example/a/'],
    ['https://x.example/a', 'http://x.example/a'],
    ['https://x.example/a', 'https://x.example/A'],
    ['https://x.example/a', 'https://x.example/a?b'],
    ['https://x.example/a/b', 'https://x.example/a%2Fb'],
    ['https://x.example/a', 'https://x.example:8443/a'],
  ])('can contain two different sources with similar URLs, %s and %s', (first, second) => {
    write({ sources: [first, second].map((url) => ({ type: 'json', url })) });
    expect(load().sources).toHaveLength(2);
  });

  it.each([
    { contact: 'admin@example.org' },
    { contact: 'mailto:admin@example.org' },
    { network: { dnsServers: ['192.0.2.53', '192.0.2.53:5353', '::1', '[::1]', '[2001:db8::1]:53'] } },
    { network: { allow: ['127.0.0.1/32', '::1/128', 'fd00::/8', '0.0.0.0/0'] } },
    { queue: { visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0 } },
    { domains: { allowSuffixes: ['test', 'home.arpa'] } },
    { $schema: './data/crawler.config.schema.json' },
  ])('%j are accepted unchanged', (content) => {
    write(content);
    const { $schema: _, ...expected } = content as Record<string, unknown>;
    expect(load()).toMatchObject(expected);
  });

  it('may begin with a byte order mark', () => {
    write('\ufeff{"softwareId": "x"}');
    expect(load().softwareId).toBe('x');
  });
});

describe('the settings file', () => {
  it('must exist if it is given', () => {
    expect(() => load({ file: 'other.json' })).toThrow(
      'other.json: the file is missing; name another with --config, or write one with loopscout init',
    );
  });

  it('cannot be a folder', () => {
    expect(() => load({ file: '.' })).toThrow('.: the file is a folder; name a file in it');
  });

  it('that is not JSON is reported with line and column', () => {
    write('{\n  "queue": {\n    "concurrency": 64,\n  }\n}\n');
    expect(() => load()).toThrow('crawler.config.json: line 4, column 3 is "}"; allowed: a key in double quotes');
    write('{ "queue": ');
    expect(() => load()).toThrow('crawler.config.json: line 1, column 12 is the end; allowed: a value');
  });
});

describe('the JSON Schema', () => {
  const committed: z.core.JSONSchema.JSONSchema = JSON.parse(
    readFileSync(join(repository, 'data/crawler.config.schema.json'), 'utf8'),
  );

  it('in the repository matches the settings (npm test -- --update writes it)', async () => {
    const written = `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`;
    await expect(written).toMatchFileSnapshot('../../data/crawler.config.schema.json');
  });

  it('has a description and a default for every key', () => {
    for (const { name, node } of settingKeys(committed)) {
      expect(node.description, name).toMatch(/\.$/);
      expect(node, name).toHaveProperty('default');
    }
  });

  it.each([
    [{}, true],
    [{ $schema: 'x', queue: { concurrency: 3 }, sources: [{ type: 'file', path: 'x' }] }, true],
    [{ extra: 1 }, false],
    [{ queue: { concurency: 3 } }, false],
    [{ queue: { concurrency: 0 } }, false],
    [{ sources: [{ type: 'file' }] }, false],
    [{ robots: 'no' }, false],
  ])('agrees with the settings about %j: %j', (content, isValid) => {
    write(content);
    expect(z.fromJSONSchema(committed).safeParse(content).success).toBe(isValid);
    expect(problemsOf().length === 0).toBe(isValid);
  });
});
