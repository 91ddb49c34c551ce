import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstanceFacts } from '../../src/model/facts/instance-facts.ts';
import type { Visit } from '../../src/model/visit.ts';
import { fixture, fixtureNames } from './fixture.ts';
import {
  CONFIG,
  DISCOVERY,
  html,
  json,
  links,
  NODEINFO,
  nodeInfoAt,
  ROBOTS,
  redirect,
  type Script,
  status,
  VISITED_AT,
  visitScript,
} from './scripted-visit.ts';
import { replaced, wrongValues } from './wrong-values.ts';

const config = fixture('config-whole');
const mastodon = fixture('nodeinfo-whole');
const loopsNodeInfo = fixture('nodeinfo-loops');
const noConfig: Script = { [CONFIG]: status(404) };
/** A Loops server whose NodeInfo agrees with its config on software, version and registration. */
const whole: Script = {
  [CONFIG]: json(config),
  ...nodeInfoAt({ ...loopsNodeInfo, openRegistrations: false, software: { name: 'loops', version: '1.0.0-beta.14' } }),
};

describe('the requests of a visit', () => {
  it('are robots.txt, config, discovery and NodeInfo, once each, with the right Accept header', async () => {
    const { requested, acceptHeaders, visit } = await visitScript(whole);
    expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY, NODEINFO]);
    expect(acceptHeaders).toEqual(['text/plain', 'application/json', 'application/json', 'application/json']);
    expect(visit.steps.map(({ probe }) => probe)).toEqual(['robots', 'config', 'discovery', 'nodeinfo']);
    expect(visit.steps[1]).toEqual({
      probe: 'config',
      url: 'https://server.example/api/v1/config',
      status: 200,
      ms: 1,
      bytes: JSON.stringify(config).length,
      failure: null,
    });
  });

  it('use the port of the domain', async () => {
    const script = { [CONFIG]: json(fixture('config-of-another-software')) };
    const { visit } = await visitScript(script, { domain: 'server.example:8443' });
    expect(visit.steps.map(({ url }) => new URL(url).host)).toEqual(['server.example:8443', 'server.example:8443']);
  });

  it('end with a config that names other software, without NodeInfo', async () => {
    const { requested, visit } = await visitScript({ [CONFIG]: json(fixture('config-of-another-software')) });
    expect(requested).toEqual([ROBOTS, CONFIG]);
    expect(visit).toMatchObject({ verdict: 'other', reason: 'config-software', software: 'reels', version: '0.3.0' });
  });

  it('end with a config that turns federation off, without NodeInfo', async () => {
    const { requested, visit } = await visitScript({ [CONFIG]: json({ ...config, federation: false }) });
    expect(requested).toEqual([ROBOTS, CONFIG]);
    expect(visit).toMatchObject({
      verdict: 'loops',
      facts: { federation: false, flags: [], usage: { users: null, asOf: null } },
    });
  });

  it.each([true, null, 'false', 0])(
    'continue with NodeInfo when the federation field of config is %j',
    async (federation) => {
      const { requested } = await visitScript({ ...whole, [CONFIG]: json({ ...config, federation }) });
      expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY, NODEINFO]);
    },
  );

  it('yield documents that are stored as received', async () => {
    const { visit } = await visitScript({
      ...whole,
      [CONFIG]: { status: 200, body: `\uFEFF${JSON.stringify(config)} ` },
    });
    expect(Object.keys(visit.documents)).toEqual(['config', 'discovery', 'nodeinfo']);
    expect(Buffer.from(visit.documents.config ?? []).toString()).toBe(`\uFEFF${JSON.stringify(config)} `);
  });
});

describe('a config', () => {
  it('that names the software id is conclusive', async () => {
    const { visit } = await visitScript(whole);
    expect(visit).toMatchObject({
      verdict: 'loops',
      reason: 'config-software',
      via: 'config',
      software: 'loops',
      version: '1.0.0-beta.14',
      facts: {
        name: 'Clips',
        usage: {
          users: 321,
          activeMonth: 45,
          activeHalfyear: 120,
          posts: 6789,
          asOf: new Date(VISITED_AT).toISOString(),
        },
        flags: [],
        notes: [],
      },
    });
  });

  it.each([
    ['a byte order mark', { status: 200, body: `\uFEFF${JSON.stringify(config)}` }],
    [
      'the wrong content type',
      {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: JSON.stringify(config),
      },
    ],
    ['201 as its status', { status: 201, body: JSON.stringify(config) }],
  ])('is read with %s', async (_what, reply) => {
    expect((await visitScript({ ...whole, [CONFIG]: reply })).visit).toMatchObject({ verdict: 'loops', via: 'config' });
  });

  it('is compared with the software id of the settings', async () => {
    const script = { [CONFIG]: json(fixture('config-of-another-software')), ...nodeInfoAt(loopsNodeInfo) };
    expect((await visitScript(script, { softwareId: 'reels' })).visit).toMatchObject({
      verdict: 'loops',
      via: 'config',
      software: 'reels',
    });
  });

  it.each(['config-loops-capital', 'config-loops-relay', 'config-loops-trailing-space'])(
    'like the fixture %s names other software',
    async (name) => {
      expect((await visitScript({ [CONFIG]: json(fixture(name)) })).visit).toMatchObject({
        verdict: 'other',
        via: 'config',
      });
    },
  );

  const inconclusive: [string, Script[string]][] = [
    ['404', status(404)],
    ['401', status(401)],
    ['403', status(403)],
    ['410', status(410)],
    ['500 twice', status(500)],
    ['503 with Retry-After', status(503, { 'retry-after': '60' })],
    ['302 without a location', status(302)],
    ['204', status(204)],
    ['a web app with 200', html],
    ['truncated JSON', { status: 200, body: '{"app":{"software":"loops"' }],
    ['JSON with a warning after it', { status: 200, body: `${JSON.stringify(config)}\nWarning: x` }],
    ['a list', json([config])],
    ['null', json(null)],
    ['a string', json('loops')],
    ['response-timeout', 'response-timeout'],
    ['body-timeout', 'body-timeout'],
    ['connection-reset', 'connection-reset'],
    ['invalid-http', 'invalid-http'],
    ['body-too-large', 'body-too-large'],
    ['a redirect to another host', redirect('https://other.example/api/v1/config')],
    ['a redirect to itself', redirect(CONFIG)],
    ['a redirect to http', redirect('http://server.example/api/v1/config')],
    ...fixtureNames('config-')
      .filter((name) => /app-(?:string|list|null)|software-(?:list|null|at-top)|peertube|empty/.test(name))
      .map((name): [string, Script[string]] => [name, json(fixture(name))]),
  ];

  it.each(inconclusive)('with %s is inconclusive, and NodeInfo decides', async (_what, reply) => {
    const other = await visitScript({ [CONFIG]: reply, ...nodeInfoAt(mastodon) });
    expect(other.visit).toMatchObject({
      verdict: 'other',
      reason: 'nodeinfo-software',
      software: 'mastodon',
      version: '4.5.2',
    });
    const loops = await visitScript({ [CONFIG]: reply, ...nodeInfoAt(loopsNodeInfo) });
    expect(loops.visit).toMatchObject({
      verdict: 'loops',
      via: 'nodeinfo',
      version: '1.0.0-beta.5',
      facts: { federation: null, flags: [] },
    });
  });

  it.each([
    'dns-nxdomain',
    'connect-refused',
    'connect-timeout',
    'no-route',
    'tls-expired',
    'tls-wrong-name',
    'tls-untrusted',
    'tls-failed',
    'tls-timeout',
    'visit-timeout',
  ] as const)('that fails with %s ends the visit, because NodeInfo would fail too', async (failure) => {
    const { requested, visit } = await visitScript({ [CONFIG]: failure });
    expect(requested).toEqual([ROBOTS, CONFIG]);
    expect(visit).toMatchObject({ verdict: 'unreachable', reason: failure });
  });

  it('answered with 429 ends the visit, which records Retry-After', async () => {
    const { requested, visit } = await visitScript({ [CONFIG]: status(429, { 'retry-after': '7200' }) });
    expect(requested).toEqual([ROBOTS, CONFIG]);
    expect(visit).toMatchObject({ verdict: 'declined', reason: 'rate-limited', retryAfterMs: 7_200_000 });
  });

  it.each([
    ['https://server.example', false],
    ['https://SERVER.example:443/', false],
    ['http://server.example/about', false],
    ['https://localhost', true],
    ['https://other.example', true],
    ['https://server.example:8443', true],
    ['nonsense', true],
  ])('with the app.url %s has the flag app-url-mismatch: %j', async (url, isFlagged) => {
    const { visit } = await visitScript({ ...whole, [CONFIG]: json(replaced(config, 'app.url', url)) });
    expect(visit.facts?.flags).toEqual(isFlagged ? ['app-url-mismatch'] : []);
  });
});

describe('software with a similar name is not Loops', () => {
  const names = [
    'Loops',
    'LOOPS',
    'loops ',
    ' loops',
    'loops\u0000',
    'loops-relay',
    'loopsy',
    'l\u043eops',
    '\uFEFFloops',
    '',
  ];

  it.each(names)('when config names it %j', async (software) => {
    const { visit } = await visitScript({
      [CONFIG]: json({ ...config, app: { ...(config.app as object), software } }),
    });
    expect(visit).toMatchObject({ verdict: 'other', via: 'config' });
  });

  it.each(names)('when NodeInfo names it %j', async (name) => {
    const { visit } = await visitScript({
      ...noConfig,
      ...nodeInfoAt({ ...mastodon, software: { name, version: '1' } }),
    });
    expect(visit).toMatchObject({ verdict: 'other', via: 'nodeinfo' });
  });

  it('when config names it by any string but loops', async () => {
    const other = fc.string().filter((name) => name !== 'loops');
    await fc.assert(
      fc.asyncProperty(other, async (software) => {
        const { visit } = await visitScript({ [CONFIG]: json({ app: { software } }) });
        expect(visit.verdict).toBe('other');
      }),
    );
  });
});

describe('an instance with an unexpected value in config', () => {
  const paths = [
    'app.name',
    'app.url',
    'app.version',
    'media',
    'media.max_video_size',
    'fyf',
    'registration',
    'hasGifProvider',
    'account',
  ];
  const cases = paths.flatMap((path) => wrongValues('object').map((wrong) => ({ path, wrong })));

  it.each(cases)('is still Loops: $path as $wrong', async ({ path, wrong }) => {
    const { visit } = await visitScript({ ...whole, [CONFIG]: json(replaced(config, path, wrong)) });
    expect(visit).toMatchObject({
      verdict: 'loops',
      via: 'config',
      software: 'loops',
      facts: { usage: { users: 321 } },
    });
  });

  /** Facts in both documents: the config path, its expected type, the NodeInfo value, and the fact. */
  const shared: [
    path: string,
    kind: 'string' | 'boolean',
    nodeInfo: unknown,
    read: (facts: InstanceFacts) => unknown,
  ][] = [
    ['app.name', 'string', 'Node name', ({ name }) => name],
    ['app.description', 'string', 'Node description.', ({ description }) => description],
    ['app.version', 'string', '9.9.9', ({ version }) => version],
    ['registration', 'boolean', true, ({ registration }) => registration.open],
  ];
  /** A Loops server whose NodeInfo differs from config in all shared facts. */
  const differing: Script = {
    ...whole,
    ...nodeInfoAt({
      ...loopsNodeInfo,
      software: { name: 'loops', version: '9.9.9' },
      openRegistrations: true,
      metadata: { nodeName: 'Node name', nodeDescription: 'Node description.' },
    }),
  };
  const factsOf = async (document: unknown) => {
    // JSON.stringify writes Infinity as null; 1e999 is a JSON number that parses as Infinity.
    const body = JSON.stringify(document, (_key, value) => (value === Number.POSITIVE_INFINITY ? '1e999' : value));
    const reply = { status: 200, body: body.replaceAll('"1e999"', '1e999') };
    const { facts } = (await visitScript({ ...differing, [CONFIG]: reply })).visit;
    if (facts === null) throw new Error('The visit did not identify Loops.');
    return facts;
  };

  it('takes from NodeInfo a fact that config omits, but not a fact that config has in the wrong type', async () => {
    const before = await factsOf(config);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...shared),
        fc.oneof(fc.jsonValue(), fc.constant(undefined)),
        async ([path, kind, inNodeInfo, read], value) => {
          const facts = await factsOf(replaced(config, path, value));
          const isAbsent = value === undefined || value === null;
          if (isAbsent) expect(read(facts)).toBe(inNodeInfo);
          else if (typeof value !== kind) expect(read(facts)).toBeNull();
          else if (kind === 'boolean') expect(read(facts)).toBe(value);
          expect(facts.notes.map(({ field }) => field)).toEqual(isAbsent || typeof value === kind ? [] : [path]);
          for (const [other, , , readOther] of shared)
            if (other !== path) expect(readOther(facts)).toEqual(readOther(before));
        },
      ),
    );
  });

  it.each(shared.flatMap(([path, kind, , read]) => wrongValues(kind).map((wrong) => ({ path, wrong, read }))))(
    'has no value for the fact, whatever NodeInfo says: $path as $wrong',
    async ({ path, wrong, read }) => {
      const facts = await factsOf(replaced(config, path, wrong));
      expect(read(facts)).toBeNull();
      expect(facts.flags).toContain('wrong-type-field');
    },
  );

  it('is Loops whatever its NodeInfo contains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (document) => {
        const { visit } = await visitScript({ ...whole, [NODEINFO]: json(document) });
        expect(visit).toMatchObject({ verdict: 'loops', reason: 'config-software' });
      }),
    );
  });
});

describe('NodeInfo of a host whose config names Loops', () => {
  it.each<[string, Script]>([
    ['discovery is 404', { [DISCOVERY]: status(404) }],
    ['discovery is 500', { [DISCOVERY]: status(500) }],
    ['discovery is 410', { [DISCOVERY]: status(410) }],
    ['discovery is a web app', { [DISCOVERY]: html }],
    ['discovery fails', { [DISCOVERY]: 'connection-reset' }],
    ['the visit times out during discovery', { [DISCOVERY]: 'visit-timeout' }],
    ['discovery redirects to another host', { [DISCOVERY]: redirect('https://other.example/') }],
    ['there is no 2.0 link', { [DISCOVERY]: json(fixture('links-only-2.1')) }],
    ['the href is dead', { [DISCOVERY]: links('https://server.example/dead'), '/dead': status(404) }],
    [
      'the href leads to a forbidden address',
      { [DISCOVERY]: links('https://10.0.0.1/'), 'https://10.0.0.1/': 'forbidden-address' },
    ],
    ['the document names no software', nodeInfoAt({})],
    ['robots.txt forbids it', { [ROBOTS]: { status: 200, body: 'User-agent: *\nDisallow: /.well-known/\n' } }],
  ])('only adds the flag nodeinfo-unavailable when %s', async (_what, script) => {
    const { visit } = await visitScript({ [CONFIG]: json(config), ...script });
    expect(visit).toMatchObject({
      verdict: 'loops',
      reason: 'config-software',
      facts: { flags: ['nodeinfo-unavailable'], name: 'Clips' },
    });
  });

  it('answered with 429 sets the Retry-After of the visit', async () => {
    const { visit } = await visitScript({
      [CONFIG]: json(config),
      [DISCOVERY]: status(429, { 'retry-after': '86400' }),
    });
    expect(visit).toMatchObject({ verdict: 'loops', retryAfterMs: 86_400_000 });
  });

  it.each<[string, object, string[]]>([
    [
      'another version',
      { software: { name: 'loops', version: '1.0.0-beta.13' }, openRegistrations: false },
      ['version-mismatch'],
    ],
    [
      'another software',
      { software: { name: 'pixelfed', version: '1.0.0-beta.14' }, openRegistrations: false },
      ['software-mismatch'],
    ],
    [
      'open registration',
      { software: { name: 'loops', version: '1.0.0-beta.14' }, openRegistrations: true },
      ['registration-mismatch'],
    ],
    ['no version', { software: { name: 'loops' }, openRegistrations: false }, []],
  ])('with %s sets the expected flags', async (_what, changes, flags) => {
    const { visit } = await visitScript({ ...whole, ...nodeInfoAt({ ...loopsNodeInfo, ...changes }) });
    expect(visit).toMatchObject({
      verdict: 'loops',
      via: 'config',
      software: 'loops',
      version: '1.0.0-beta.14',
      facts: { flags },
    });
  });

  it('with a field of the wrong type sets the flag wrong-type-field', async () => {
    const { visit } = await visitScript({
      ...whole,
      ...nodeInfoAt({
        ...loopsNodeInfo,
        software: { name: 'loops', version: '1.0.0-beta.14' },
        openRegistrations: 'FALSE',
      }),
    });
    expect(visit.facts).toMatchObject({
      flags: ['wrong-type-field'],
      notes: [{ field: 'openRegistrations' }],
      registration: { open: false },
    });
  });
});

describe('NodeInfo of a host without config', () => {
  const cases: [string, Script, Partial<Visit>][] = [
    ['404', { [DISCOVERY]: status(404) }, { verdict: 'unidentified', reason: 'no-nodeinfo' }],
    ['403', { [DISCOVERY]: status(403) }, { verdict: 'unidentified', reason: 'no-nodeinfo' }],
    ['410', { [DISCOVERY]: status(410) }, { verdict: 'declined', reason: 'gone' }],
    [
      '429',
      { [DISCOVERY]: status(429, { 'retry-after': '60' }) },
      { verdict: 'declined', reason: 'rate-limited', retryAfterMs: 60_000 },
    ],
    ['500', { [DISCOVERY]: status(500) }, { verdict: 'unidentified', reason: 'nodeinfo-unavailable' }],
    ['a time-out', { [DISCOVERY]: 'response-timeout' }, { verdict: 'unidentified', reason: 'nodeinfo-unavailable' }],
    ['a web app', { [DISCOVERY]: html }, { verdict: 'unidentified', reason: 'discovery-not-json' }],
    ['a list', { [DISCOVERY]: json([]) }, { verdict: 'unidentified', reason: 'discovery-not-json' }],
    [
      'a discovery document over the size limit',
      { [DISCOVERY]: 'body-too-large' },
      { verdict: 'unidentified', reason: 'body-too-large' },
    ],
    ['no links', { [DISCOVERY]: json({}) }, { verdict: 'unidentified', reason: 'no-nodeinfo-2.0-link' }],
    [
      'only a 2.1 link',
      { [DISCOVERY]: json(fixture('links-only-2.1')) },
      { verdict: 'unidentified', reason: 'no-nodeinfo-2.0-link' },
    ],
    [
      'a NodeInfo document at the well-known path',
      { [DISCOVERY]: json(fixture('nodeinfo-at-well-known')) },
      { verdict: 'unidentified', reason: 'no-nodeinfo-2.0-link' },
    ],
    [
      'malformed links',
      { [DISCOVERY]: json(fixture('links-torn')) },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    ['a relative href', { [DISCOVERY]: links('/nodeinfo/2.0') }, { verdict: 'unidentified', reason: 'href-invalid' }],
    [
      'an href without a scheme',
      { [DISCOVERY]: links('server.example/nodeinfo/2.0') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    [
      'an href with an address and no scheme',
      { [DISCOVERY]: links('127.0.0.1:4242/nodeinfo') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    [
      'an href with two slashes and no scheme',
      { [DISCOVERY]: links('//server.example/nodeinfo') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    [
      'an ftp href',
      { [DISCOVERY]: links('ftp://server.example/') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    [
      'a javascript href',
      { [DISCOVERY]: links('javascript:alert(1)') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    [
      'an href with a user',
      { [DISCOVERY]: links('https://user@server.example/') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    [
      'an href with a password',
      { [DISCOVERY]: links('https://:word@server.example/') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    ['an href without a host', { [DISCOVERY]: links('https://') }, { verdict: 'unidentified', reason: 'href-invalid' }],
    [
      'an href with three slashes',
      { [DISCOVERY]: links('https:///server.example/x') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    [
      'an href with white space after it',
      { [DISCOVERY]: links('https://server.example/x ') },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    ['an empty href', { [DISCOVERY]: links('') }, { verdict: 'unidentified', reason: 'href-invalid' }],
    [
      'an href of 3,000 characters',
      { [DISCOVERY]: links(`https://server.example/${'x'.repeat(3_000)}`) },
      { verdict: 'unidentified', reason: 'href-invalid' },
    ],
    [
      'an href on another port',
      { [DISCOVERY]: links('https://server.example:8443/') },
      { verdict: 'unidentified', reason: 'href-refused' },
    ],
    [
      'an href on the port of a database',
      { [DISCOVERY]: links('http://server.example:6379/') },
      { verdict: 'unidentified', reason: 'href-refused' },
    ],
    [
      'a dead href',
      { [DISCOVERY]: links('https://server.example/x'), '/x': status(404) },
      { verdict: 'unidentified', reason: 'href-dead' },
    ],
    [
      'an href that is gone',
      { [DISCOVERY]: links('https://server.example/x'), '/x': status(410) },
      { verdict: 'unidentified', reason: 'href-dead' },
    ],
    [
      'an href that fails',
      { [DISCOVERY]: links('https://server.example/x'), '/x': 'connection-reset' },
      { verdict: 'unidentified', reason: 'href-dead' },
    ],
    [
      'an href to a name that does not exist',
      { [DISCOVERY]: links('https://no.example/x'), 'https://no.example/x': 'dns-nxdomain' },
      { verdict: 'unidentified', reason: 'href-dead' },
    ],
    [
      'an href to a forbidden address',
      { [DISCOVERY]: links('https://10.0.0.1/x'), 'https://10.0.0.1/x': 'forbidden-address' },
      { verdict: 'declined', reason: 'forbidden-address' },
    ],
    [
      'an href on the visited host that answers 429',
      { [DISCOVERY]: links('https://server.example/x'), '/x': status(429, { 'retry-after': '9' }) },
      { verdict: 'declined', reason: 'rate-limited', retryAfterMs: 9_000 },
    ],
    [
      'an href on another host that answers 429',
      { [DISCOVERY]: links('https://o.example/x'), 'https://o.example/x': status(429, { 'retry-after': '9' }) },
      { verdict: 'unidentified', reason: 'href-dead', retryAfterMs: null },
    ],
    [
      'an href on another host whose robots.txt answers 429',
      {
        [DISCOVERY]: links('https://o.example/x'),
        'https://o.example/robots.txt': status(429, { 'retry-after': '9' }),
      },
      { verdict: 'unidentified', reason: 'href-dead', retryAfterMs: 9_000 },
    ],
    [
      'a robots.txt that redirects to another host, which answers 429',
      {
        [ROBOTS]: redirect('https://o.example/robots.txt'),
        'https://o.example/robots.txt': status(429, { 'retry-after': '9' }),
      },
      { verdict: 'unreachable', reason: 'robots-unreachable', retryAfterMs: 9_000 },
    ],
    [
      'a robots.txt that redirects to a name that does not exist',
      { [ROBOTS]: redirect('https://o.example/robots.txt'), 'https://o.example/robots.txt': 'dns-nxdomain' },
      { verdict: 'unreachable', reason: 'robots-unreachable' },
    ],
    [
      'a robots.txt that answers 429 itself',
      { [ROBOTS]: status(429, { 'retry-after': '9' }) },
      { verdict: 'declined', reason: 'rate-limited', retryAfterMs: 9_000 },
    ],
    [
      'a NodeInfo document that is a web page',
      { [DISCOVERY]: links('https://server.example/x'), '/x': html },
      { verdict: 'unidentified', reason: 'nodeinfo-not-json' },
    ],
    [
      'a NodeInfo document with trailing text',
      { [DISCOVERY]: links('https://server.example/x'), '/x': { status: 200, body: `${JSON.stringify(mastodon)}x` } },
      { verdict: 'unidentified', reason: 'nodeinfo-not-json' },
    ],
    [
      'a NodeInfo document over the size limit',
      { [DISCOVERY]: links('https://server.example/x'), '/x': 'body-too-large' },
      { verdict: 'unidentified', reason: 'body-too-large' },
    ],
    [
      'a NodeInfo document without software',
      nodeInfoAt(fixture('nodeinfo-software-missing')),
      { verdict: 'unidentified', reason: 'nodeinfo-no-software' },
    ],
    [
      'software as a list',
      nodeInfoAt(fixture('nodeinfo-software-name-list')),
      { verdict: 'unidentified', reason: 'nodeinfo-no-software' },
    ],
  ];

  it.each(cases)('with %s gives the expected decision', async (_what, script, expected) => {
    expect((await visitScript({ ...noConfig, ...script })).visit).toMatchObject(expected);
  });

  it.each(fixtureNames('links-'))('is requested only at the advertised 2.0 href: %s', async (name) => {
    const { requested, visit } = await visitScript({
      ...noConfig,
      [DISCOVERY]: json(fixture(name)),
      [NODEINFO]: json(mastodon),
    });
    expect(requested.slice(0, 3)).toEqual([ROBOTS, CONFIG, DISCOVERY]);
    expect(requested.slice(3)).toEqual(visit.verdict === 'other' ? [NODEINFO] : []);
  });

  it.each(fixtureNames('nodeinfo-').filter((name) => !name.includes('software-')))(
    'identifies the software and version: %s',
    async (name) => {
      const document = fixture(name);
      const software = document.software as { name: string; version: unknown };
      const { visit } = await visitScript({ ...noConfig, ...nodeInfoAt(document) });
      expect(visit).toMatchObject({
        verdict: software.name === 'loops' ? 'loops' : 'other',
        software: software.name,
        version: typeof software.version === 'string' ? software.version : null,
      });
    },
  );

  it('of an old Loops server gives all facts but those that only config contains', async () => {
    const { visit } = await visitScript({ ...noConfig, ...nodeInfoAt(loopsNodeInfo) });
    expect(visit.facts).toMatchObject({
      name: 'A server',
      registration: { open: true, mode: null },
      federation: null,
      features: { forYouFeed: null, pushNotifications: null, starterKits: null, atomFeeds: null, gifProvider: null },
      limits: { maxVideoSizeMB: null, maxVideoDurationSeconds: null, videoFormats: null, maxBioLength: null },
      usage: { users: 321 },
    });
  });
});

describe('the advertised href', () => {
  it.each([
    'https://server.example//nodeinfo//2.0',
    'https://server.example/n%2Fi%2fx/?format=json&&x=1',
    'https://server.example:443/nodeinfo/2.0',
    'https://server.example/wp-json/activitypub/1.0/nodeinfo/2.0',
    'https://server.example/nodeinfo/2.0.json',
    'https://server.example/api/nodeinfo',
  ])('is requested unchanged: %s', async (href) => {
    const target = href.replace('https://server.example:443', '').replace('https://server.example', '');
    const { requested } = await visitScript({ ...noConfig, [DISCOVERY]: links(href), [target]: json(mastodon) });
    expect(requested.at(-1)).toBe(target);
  });

  it('of 2.0 is the only one requested, even when 2.1 is advertised too', async () => {
    const { requested } = await visitScript({
      ...noConfig,
      [DISCOVERY]: json(fixture('links-2.1-first')),
      [NODEINFO]: json(mastodon),
    });
    expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY, NODEINFO]);
  });

  it.each<[string, string, string[]]>([
    ['on another host is followed and flagged', 'https://nodes.other.example/x', ['nodeinfo-other-host']],
    ['over http is followed and flagged', 'http://server.example/x', ['nodeinfo-http-href']],
    [
      'over http on another host is flagged twice',
      'http://other.example/x',
      ['nodeinfo-other-host', 'nodeinfo-http-href'],
    ],
    ['on port 80 is followed', 'http://server.example:80/x', ['nodeinfo-http-href']],
    ['over https on port 80 is followed', 'https://server.example:80/x', []],
    ['on the host itself is not flagged', 'https://server.example/x', []],
    ['on the host itself with a trailing dot is not flagged', 'https://server.example./x', []],
  ])('%s', async (_claim, href, flags) => {
    const key = /^https:\/\/server\.example\.?\//.test(href) ? '/x' : new URL(href).href;
    const { visit } = await visitScript({ ...noConfig, [DISCOVERY]: links(href), [key]: json(loopsNodeInfo) });
    expect(visit).toMatchObject({ verdict: 'loops', via: 'nodeinfo', facts: { flags } });
  });

  it.each([
    ['the port of the domain', 'https://server.example:8443/x', 'loops'],
    ['the port of the domain, but on another host,', 'https://other.example:8443/x', 'loops'],
    ['port 443', 'https://server.example/x', 'loops'],
    ['port 80', 'http://server.example/x', 'loops'],
    ['a third port', 'https://server.example:9443/x', 'unidentified'],
  ])('on %s is followed or refused as expected when the domain has port 8443', async (_what, href, verdict) => {
    const script = { ...noConfig, [DISCOVERY]: links(href), [href]: json(loopsNodeInfo), '/x': json(loopsNodeInfo) };
    const { visit } = await visitScript(script, { domain: 'server.example:8443' });
    expect(visit.verdict).toBe(verdict);
    const isElsewhere = href.includes('other.example');
    if (verdict === 'loops') expect(visit.facts?.flags.includes('nodeinfo-other-host')).toBe(isElsewhere);
  });
});

describe('a visit in which neither config nor NodeInfo is conclusive', () => {
  it.each<[string, Script, Partial<Visit>]>([
    [
      'both answer 500',
      { [CONFIG]: status(500), [DISCOVERY]: status(502) },
      { verdict: 'unreachable', reason: 'http-5xx' },
    ],
    [
      'both answer 503, with Retry-After',
      { [CONFIG]: status(503), [DISCOVERY]: status(503, { 'retry-after': '60' }) },
      { reason: 'http-5xx', retryAfterMs: 60_000 },
    ],
    ['both answer 410', { [CONFIG]: status(410), [DISCOVERY]: status(410) }, { verdict: 'declined', reason: 'gone' }],
    [
      'config answers 410 and NodeInfo 404',
      { [CONFIG]: status(410), [DISCOVERY]: status(404) },
      { verdict: 'declined', reason: 'gone' },
    ],
    [
      'both connections are reset',
      { [CONFIG]: 'connection-reset', [DISCOVERY]: 'connection-reset' },
      { verdict: 'unreachable', reason: 'connection-reset' },
    ],
    [
      'both time out',
      { [CONFIG]: 'response-timeout', [DISCOVERY]: 'response-timeout' },
      { verdict: 'unreachable', reason: 'response-timeout' },
    ],
    [
      'config is reset and NodeInfo answers 404',
      { [CONFIG]: 'connection-reset', [DISCOVERY]: status(404) },
      { verdict: 'unidentified', reason: 'no-nodeinfo' },
    ],
    [
      'config answers 500 and NodeInfo 404',
      { [CONFIG]: status(500), [DISCOVERY]: status(404) },
      { verdict: 'unidentified', reason: 'no-nodeinfo' },
    ],
    [
      'config is a web page and NodeInfo is reset',
      { [CONFIG]: html, [DISCOVERY]: 'connection-reset' },
      { verdict: 'unidentified', reason: 'nodeinfo-unavailable' },
    ],
    [
      'config is too large and NodeInfo answers 500',
      { [CONFIG]: 'body-too-large', [DISCOVERY]: status(500) },
      { verdict: 'unidentified', reason: 'nodeinfo-unavailable' },
    ],
    [
      'config answers 404 and the visit times out',
      { [CONFIG]: status(404), [DISCOVERY]: 'visit-timeout' },
      { verdict: 'unidentified', reason: 'nodeinfo-unavailable' },
    ],
    [
      'both bodies time out',
      { [CONFIG]: 'body-timeout', [DISCOVERY]: 'body-timeout' },
      { verdict: 'unreachable', reason: 'body-timeout' },
    ],
    [
      'both are not HTTP',
      { [CONFIG]: 'invalid-http', [DISCOVERY]: 'invalid-http' },
      { verdict: 'unreachable', reason: 'invalid-http' },
    ],
  ])('gets the expected decision when %s', async (_what, script, expected) => {
    expect((await visitScript(script)).visit).toMatchObject(expected);
  });
});

describe('the retry after a 5xx', () => {
  it('reads a config that fails on the first request only', async () => {
    const { requested, visit, waits } = await visitScript({ ...whole, [CONFIG]: [status(500), json(config)] });
    expect(requested).toEqual([ROBOTS, CONFIG, CONFIG, DISCOVERY, NODEINFO]);
    expect(waits).toEqual([250]);
    expect(visit).toMatchObject({ verdict: 'loops', via: 'config' });
    expect(visit.steps.map(({ status: code }) => code)).toEqual([404, 500, 200, 200, 200]);
  });

  it('is made once per visit', async () => {
    const { requested, waits } = await visitScript({ [CONFIG]: status(500), [DISCOVERY]: status(500) });
    expect(requested).toEqual([ROBOTS, CONFIG, CONFIG, DISCOVERY]);
    expect(waits).toEqual([250]);
  });

  it.each(['60', '0', 'Sat, 01 Aug 2026 13:00:00 GMT'])('is not made when Retry-After says %s', async (after) => {
    const { requested, waits } = await visitScript({
      [CONFIG]: status(503, { 'retry-after': after }),
      [DISCOVERY]: status(404),
    });
    expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY]);
    expect(waits).toEqual([]);
  });

  it.each([status(404), status(429), status(403), 'response-timeout', 'connection-reset'] as const)(
    'is not made after %j',
    async (reply) => {
      const { requested } = await visitScript({ [CONFIG]: reply, [DISCOVERY]: status(404) });
      expect(requested.filter((path) => path === CONFIG)).toHaveLength(1);
    },
  );
});

it('a visit never throws and is always consistent, whatever hosts respond', async () => {
  const reply = fc.oneof(
    fc.constantFrom(200, 204, 301, 404, 410, 429, 500, 503, 999).map((code) => status(code)),
    fc.constantFrom(
      'connection-reset',
      'response-timeout',
      'body-too-large',
      'tls-expired',
      'visit-timeout',
      'forbidden-address',
      'invalid-http',
    ),
    fc.constantFrom(
      html,
      json(config),
      json(mastodon),
      json(loopsNodeInfo),
      links('https://server.example/nodeinfo/2.0'),
    ),
    fc
      .oneof(
        fc.webUrl(),
        fc.string(),
        fc.constantFrom('https://other.example/', '//', 'https://server.example./', 'http://[::1]/'),
      )
      .map((to) => redirect(to)),
    fc
      .oneof(
        fc.webUrl(),
        fc.string(),
        fc.constantFrom('https://server.example//', 'https://server.example//[', 'http://[::1]:80/'),
      )
      .map((href) => links(href)),
    fc.jsonValue().map((value) => json(value)),
    fc.string().map((text) => ({ status: 200, body: text })),
  );
  const responses = fc.record({ [ROBOTS]: reply, [CONFIG]: reply, [DISCOVERY]: reply, [NODEINFO]: reply });
  const mode = fc.constantFrom('standard' as const, 'strict' as const, 'off' as const);
  await fc.assert(
    fc.asyncProperty(responses, reply, mode, async (script, fallback, robots) => {
      const anything = new Proxy(script as Script, {
        get: (target, key: string) => target[key] ?? (fallback as Script[string]),
      });
      // Throws if the visit is not consistent.
      await visitScript(anything, { robots });
    }),
    { numRuns: 40 },
  );
});

describe('a host that answers 403', () => {
  it.each<[string, Script, object]>([
    [
      'to every request has the reason access-refused',
      { [CONFIG]: status(403), [DISCOVERY]: status(403) },
      { verdict: 'unidentified', reason: 'access-refused' },
    ],
    [
      'to robots.txt too has it as well',
      { [ROBOTS]: status(403), [CONFIG]: status(403), [DISCOVERY]: status(403) },
      { verdict: 'unidentified', reason: 'access-refused' },
    ],
    [
      'to NodeInfo alone has not',
      { [CONFIG]: status(404), [DISCOVERY]: status(403) },
      { verdict: 'unidentified', reason: 'no-nodeinfo' },
    ],
    [
      'to config alone has not',
      { [CONFIG]: status(403), [DISCOVERY]: status(404) },
      { verdict: 'unidentified', reason: 'no-nodeinfo' },
    ],
  ])('%s', async (_what, script, expected) => {
    expect((await visitScript(script)).visit).toMatchObject(expected);
  });
});
