import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createFleet,
  type Fleet,
  type FleetFile,
  JsonFileError,
  seededAccounts,
} from '../../../src/reference/index.ts';
import { fetcher, plainVisit } from './plain-visit.ts';

const nameOf = (domain = '') => domain.replace(/:\d+$/, '');
const statusOf = async (fleet: Fleet, url: string) => (await fetcher(fleet)(url)).status;
const jsonOf = async (fleet: Fleet, url: string) => JSON.parse(String((await fetcher(fleet)(url)).body));

async function problemsOf(file: unknown): Promise<readonly string[]> {
  const error = await createFleet({ file: file as FleetFile }).then(
    async (fleet) => {
      await fleet.close();
      return new Error('The file was accepted.');
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof JsonFileError)) throw error;
  return error.problems;
}

describe('a fleet file', () => {
  it('creates the hosts of its rows, in order', async () => {
    await using fleet = await createFleet({
      file: {
        tld: 'test',
        hosts: [{ kind: 'loops', count: 3 }, { name: 'slow.example' }, { kind: 'mastodon' }],
      },
    });
    expect(fleet.hosts.map(({ kind }) => kind)).toEqual(['loops', 'loops', 'loops', 'loops', 'mastodon']);
    const names = fleet.hosts.map(({ domain }) => nameOf(domain));
    expect(names[3]).toBe('slow.example');
    for (const index of [0, 1, 2, 4]) expect(names[index]).toMatch(/^[a-z]+-\d{4}\.test$/);
    expect(new Set(names).size).toBe(5);
  });

  it('is read from a path', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
    try {
      const file = join(folder, 'fleet.json');
      writeFileSync(file, JSON.stringify({ hosts: [{ name: 'one.example' }] }));
      await using fleet = await createFleet({ file });
      expect(nameOf(fleet.hosts[0]?.domain)).toBe('one.example');
      writeFileSync(file, '{"hosts":');
      await expect(createFleet({ file })).rejects.toThrow(`${file}: it is not JSON`);
      await expect(createFleet({ file: join(folder, 'none.json') })).rejects.toThrow('it cannot be read (ENOENT)');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('merges the settings of a row into those of its kind', async () => {
    await using fleet = await createFleet({
      file: {
        hosts: [
          {
            name: 'one.example',
            profile: 'live',
            config: { app: { name: 'Clips' }, registration: false },
            missingConfigKeys: ['account'],
            usage: { users: { total: 3 } },
            nodeInfo: { openRegistrations: true },
            rateLimit: { perMinute: 2, perHour: 100 },
          },
          { name: 'two.example', robots: 'User-agent: *\nDisallow: /\n' },
          { name: 'three.example', kind: 'loops-content-type', config: { app: { name: 'Typed' } } },
        ],
      },
    });
    const [one = '', two = '', three = ''] = fleet.hosts.map(({ domain }) => `https://${domain}`);
    const config = await jsonOf(fleet, `${one}/api/v1/config`);
    expect(config).toMatchObject({ app: { name: 'Clips', software: 'loops', url: one }, registration: false });
    // Sent in the profile `live` only.
    expect(config).toHaveProperty('hasKlipy');
    expect(config).not.toHaveProperty('account');
    expect(await jsonOf(fleet, `${one}/nodeinfo/2.0`)).toMatchObject({
      usage: { users: { total: 3 } },
      openRegistrations: true,
    });
    expect([await statusOf(fleet, `${one}/robots.txt`), await statusOf(fleet, `${two}/robots.txt`)]).toEqual([
      200, 200,
    ]);
    // The second and third of these requests; two are allowed.
    expect([await statusOf(fleet, `${one}/api/v1/config`), await statusOf(fleet, `${one}/api/v1/config`)]).toEqual([
      200, 429,
    ]);
    expect((await jsonOf(fleet, `${three}/api/v1/config`)).app.name).toBe('Typed');
  });

  it('counts the faults of each host separately, on servers of any software', async () => {
    const faults = [{ route: '/.well-known/nodeinfo', fault: 'server-error', times: 1 }] as const;
    await using fleet = await createFleet({
      file: {
        hosts: [
          { count: 2, faults: [...faults] },
          { kind: 'mastodon', count: 2, faults: [...faults] },
        ],
      },
    });
    for (const { domain } of fleet.hosts) {
      const url = `https://${domain}/.well-known/nodeinfo`;
      const statuses = await Promise.all([statusOf(fleet, url), statusOf(fleet, url)]);
      expect(statuses.sort()).toEqual([200, 500]);
    }
  });

  it('delays each host by the setting in its row, or else by that of the fleet', async () => {
    await using fleet = await createFleet({
      file: { delayMs: 60_000, hosts: [{ kind: 'mastodon' }, { delayMs: 0 }, { delayMs: [200, 210] }] },
    });
    const answered: number[] = [];
    const visits = [0, 1, 2].map(async (index) => {
      await statusOf(fleet, `https://${fleet.hosts[index]?.domain}/robots.txt`);
      answered.push(index);
    });
    const [slow, ...others] = visits;
    await Promise.all(others);
    expect(answered).toEqual([1, 2]);
    const refused = expect(slow).rejects.toThrow();
    await fleet.close();
    await refused;
  });

  it('applies faults of certificate, TLS version, DNS and connections', async () => {
    await using fleet = await createFleet({
      file: {
        hosts: [
          { certificate: 'not-yet-valid' },
          { protocol: 'TLSv1.1' },
          { dns: 'refused' },
          { kind: 'mastodon', connection: 'closed-port' },
        ],
      },
    });
    const visits = fleet.hosts.map(({ domain }) => plainVisit(fleet, domain).catch(({ code }) => code));
    expect(await Promise.all(visits)).toEqual(['CERT_NOT_YET_VALID', 'EPROTO', 'EREFUSED', 'ECONNREFUSED']);
  });

  it('cannot be combined with a number of hosts', async () => {
    await expect(createFleet({ file: { hosts: [{}] }, hosts: 5 })).rejects.toThrow('leave out "hosts" and "mix"');
  });

  it('can have randomly chosen kinds, like a fleet without a file', async () => {
    const file: FleetFile = { seed: 5, hosts: [{ kind: 'any', count: 60 }] };
    await using fleet = await createFleet({ file });
    await using again = await createFleet({ file });
    const kindsOf = ({ hosts }: Fleet) => hosts.map(({ kind }) => kind);
    expect(new Set(kindsOf(fleet)).size).toBeGreaterThan(10);
    expect(kindsOf(again)).toEqual(kindsOf(fleet));
  });
});

describe('the hosts of a fleet', () => {
  const file: FleetFile = {
    seed: 9,
    hosts: [{ kind: 'loops', count: 4 }, { kind: 'loops-live' }, { kind: 'redirected' }, { delayMs: 3, robots: 'x' }],
  };
  /** The NodeInfo document of each host, and the target of its redirect of config, if it has one. */
  const readDocuments = async (fleet: Fleet) => {
    const texts: string[] = [];
    for (const { domain } of fleet.hosts) {
      texts.push(String((await fetcher(fleet)(`https://${domain}/nodeinfo/2.0`)).body));
      texts.push(String((await fetcher(fleet)(`https://${domain}/api/v1/config`)).headers.location));
    }
    return texts.map((text) => text.replaceAll(`:${fleet.port}`, ''));
  };

  it('answer the same for the same file, and differently for another seed', async () => {
    await using fleet = await createFleet({ file });
    await using again = await createFleet({ file });
    await using other = await createFleet({ file, seed: 10 });
    const first = await readDocuments(fleet);
    expect(await readDocuments(again)).toEqual(first);
    expect(await readDocuments(other)).not.toEqual(first);
  });

  it('can be recreated from some of the rows of a running fleet, in another order', async () => {
    await using randomFleet = await createFleet({
      hosts: 12,
      seed: 4,
      mix: { loops: 2, mastodon: 1, 'loops-live': 1 },
    });
    const rows = randomFleet.hosts.map(({ row }) => JSON.parse(JSON.stringify(row)));
    await using fleet = await createFleet({ file: { hosts: rows.reverse().slice(0, 8) } });
    const originals = new Map(randomFleet.hosts.map((host) => [nameOf(host.domain), host]));
    for (const host of fleet.hosts) {
      const original = originals.get(nameOf(host.domain));
      expect([host.kind, host.expect]).toEqual([original?.kind, original?.expect]);
      const path = '/nodeinfo/2.0';
      const recreated = String((await fetcher(fleet)(`https://${host.domain}${path}`)).body);
      expect(recreated).toBe(String((await fetcher(randomFleet)(`https://${original?.domain}${path}`)).body));
    }
  });

  it('are complete servers, each with its own data and all with the same seeded accounts', async () => {
    await using fleet = await createFleet({ file: { hosts: [{ count: 2 }, { kind: 'mastodon' }] } });
    const [first = '', second = '', mastodon = ''] = fleet.hosts.map(({ domain }) => domain);
    const states = [fleet.stateOf(first), fleet.stateOf(second)];
    const names = states.map((state) => state?.data.accounts.all().map(({ username }) => username));
    expect(names[0]).toEqual(names[1]);
    expect(names[0]).toEqual(expect.arrayContaining(seededAccounts().map(({ username }) => username)));
    const id = states[0]?.data.videos.all()[0]?.id ?? '';
    for (const domain of [first, second]) {
      const video = await jsonOf(fleet, `https://${domain}/api/v1/video/${id}`);
      expect([video.id, video.url.startsWith(`https://${domain}/`)]).toEqual([id, true]);
    }
    states[0]?.data.apps.register({ name: 'App', website: '', redirectUris: ['a:b'], scopes: ['read'] }, 0);
    expect(states.map((state) => state?.data.apps.count())).toEqual([1, 0]);
    expect([fleet.stateOf(mastodon), fleet.stateOf('nobody.example')]).toEqual([undefined, undefined]);
  });

  it('can be changed while they run', async () => {
    await using fleet = await createFleet({ file: { hosts: [{ count: 2 }] } });
    const [changed = '', unchanged = ''] = fleet.hosts.map(({ domain }) => domain);
    const state = fleet.stateOf(changed);
    if (state === undefined) throw new Error('The host has no state.');
    state.config.app.version = '9.9.9';
    expect((await plainVisit(fleet, changed)).version).toBe('9.9.9');
    state.faults = [{ route: '/robots.txt', fault: 'reset' }];
    expect((await plainVisit(fleet, changed)).reason).toBe('robots-unreachable');
    expect(await plainVisit(fleet, unchanged)).toMatchObject({ verdict: 'loops', version: '1.0.0-beta.14' });
  });
});

describe('the expectation of a row', () => {
  it('is the one that the row states; else null, if the row may change the result; else that of the kind', async () => {
    const completedExpectation = {
      verdict: 'unreachable',
      reason: null,
      via: null,
      software: null,
      version: null,
    } as const;
    await using fleet = await createFleet({
      file: {
        hosts: [
          // No setting, then settings that cannot change the result.
          { kind: 'loops' },
          { usage: { localPosts: 1 }, config: { app: { name: 'A' }, fyf: false }, delayMs: 500, faults: [] },
          // Settings that may change the result.
          { config: { app: { software: 'mastodon' } } },
          { faults: [{ route: '*', fault: 'close' }] },
          { certificate: 'expired' },
          { delayMs: 60_000 },
          // An expectation in the row.
          { faults: [{ route: '*', fault: 'close' }], expect: { verdict: 'unreachable' } as never },
          { kind: 'mastodon', expect: null },
          // An expectation that names another host of the fleet.
          { kind: 'redirected' },
        ],
      },
    });
    const expected = fleet.hosts.map((host) => host.expect);
    expect(expected[0]).toMatchObject({ verdict: 'loops', reason: 'config-software' });
    expect(expected[1]).toEqual(expected[0]);
    expect(expected.slice(2, 6)).toEqual([null, null, null, null]);
    expect(expected[6]).toEqual(completedExpectation);
    expect(expected[7]).toBeNull();
    expect(expected[8]).toMatchObject({ verdict: 'alias', aliasOf: fleet.hosts[0]?.domain });
  });
});

describe('an invalid fleet file', () => {
  it.for<[what: string, file: unknown, problems: string[]]>([
    ['a list instead of an object', [], ['the document is []; Invalid input: expected object, received array']],
    ['no hosts', {}, ['hosts is missing; Invalid input: expected array, received undefined']],
    ['an empty list', { hosts: [] }, ['hosts is []; Too small: expected array to have >=1 items']],
    ['an unknown key', { hosts: [{ kinds: 'loops' }] }, ['hosts[0].kinds is not a known key; allowed: kind, count']],
    [
      'an unknown kind',
      { hosts: [{}, { kind: 'lops' }] },
      ['hosts[1].kind is "lops"; there is no such kind; similar kinds: loops, '],
    ],
    ['a count of 0', { hosts: [{ count: 0 }] }, ['hosts[0].count is 0; Too small: expected number to be >=1']],
    [
      'a name with a port',
      { hosts: [{ name: 'a.example:1' }] },
      ['hosts[0].name is "a.example:1"; must be a host name'],
    ],
    [
      'one name for several hosts',
      { hosts: [{ name: 'a.example', count: 2 }] },
      ['hosts[0].count is 2; must be left out'],
    ],
    ['one name twice', { hosts: [{ name: 'a.example' }, { name: 'a.example' }] }, ['two hosts are named a.example']],
    ['an alias without a target', { hosts: [{ kind: 'redirected' }] }, ['add { "kind": "loops" }']],
    [
      'a setting of Loops servers for another host',
      { hosts: [{ kind: 'mastodon', config: { fyf: true } }] },
      ['hosts[0].config has no effect on "mastodon"'],
    ],
    [
      'several settings of Loops servers for hosts of any kind',
      { hosts: [{ kind: 'any', robots: null, usage: {}, delayMs: 1 }] },
      ['hosts[0].robots has no effect on "any"', 'hosts[0].usage has no effect on "any"'],
    ],
    [
      'unknown kinds, unknown keys and conflicting hosts',
      {
        hosts: [
          { kind: 'nokind' },
          { zz: 1 },
          { name: 'a.test', count: 2, expect: { verdict: 'other', zz: 1 } },
          { kind: 'redirected', name: 'a.test', dns: 'x' },
          { kind: 'mastodon', config: { zz: 1 } },
          5,
        ],
      },
      [
        'hosts[1].zz is not a known key; allowed: kind, count',
        'hosts[2].expect.zz is not a known key; allowed: verdict, reason',
        'hosts[2].expect is {"verdict":"other","zz":1}; must have "via" and "software"',
        'hosts[2].count is 2; must be left out',
        'hosts[3].dns is "x"; Invalid option: expected one of "nxdomain"|',
        'hosts[4].config.zz is not a known key',
        'hosts[5] is 5; Invalid input: expected object, received number',
        'hosts[0].kind is "nokind"; there is no such kind; similar kinds:',
        'hosts[4].config has no effect on "mastodon"',
        'two hosts are named a.test; give each its own name',
      ],
    ],
    [
      'an alias without a target, and an unknown key',
      { zz: 1, hosts: [{ kind: 'redirected' }, { delayMs: 1 }] },
      ['zz is not a known key', 'the kind "redirected" points at a Loops server; add { "kind": "loops" }'],
    ],
    [
      'a randomly chosen alias without a target',
      { hosts: [{ kind: 'any', count: 200, delayMs: 1 }] },
      ['points at a Loops server; add { "kind": "loops" }'],
    ],
    [
      'an incomplete expectation',
      { hosts: [{ expect: { verdict: 'loops' } }] },
      ['hosts[0].expect is {"verdict":"loops"}; must have "via" and "software"'],
    ],
    [
      'an unknown fault',
      { hosts: [{ faults: [{ route: '*', fault: 'explode' }] }] },
      ["hosts[0].faults[0].fault is \"explode\"; Invalid discriminator value. Expected 'status' | 'server-error' |"],
    ],
    [
      'a parameter of another fault',
      { hosts: [{ faults: [{ route: '*', fault: 'close', ms: 5 }] }] },
      ['hosts[0].faults[0].ms is not a known key; allowed: route, method, userAgentWithout, times, probability, fault'],
    ],
    [
      'several problems',
      {
        seed: -1,
        tld: 'A B',
        hosts: [{ certificate: 'old', delayMs: [5, 1], config: { app: { nmae: 'x', url: 5 } } }],
      },
      [
        'seed is -1; Too small: expected number to be >=0',
        'tld is "A B"',
        'hosts[0].config.app.url is 5; Invalid input: expected string, received number',
        'hosts[0].config.app.nmae is not a known key; allowed: name, url, description, software, version',
        'hosts[0].delayMs is [5,1]',
        'hosts[0].certificate is "old"; Invalid option: expected one of "expired"|"not-yet-valid"|',
      ],
    ],
  ])('with %s is refused, and each of its problems is reported', async ([_what, file, expected]) => {
    const problems = await problemsOf(file);
    expect(problems).toHaveLength(expected.length);
    for (const [index, problem] of expected.entries()) expect(problems[index]).toContain(problem);
  });
});
