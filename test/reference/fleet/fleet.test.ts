import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createFleet, type Fleet, kinds } from '../../../src/reference/index.ts';
import { fetcher, plainVisit } from './plain-visit.ts';

const twoLoops = { hosts: 2, mix: { loops: 1 } };

/** The names on the certificate of a host, seen by a client that trusts only the authority of the fleet and checks the name. */
function certifiedNames(fleet: Fleet, servername: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: fleet.port, servername, ca: readFileSync(fleet.caFile) }, () => {
      resolve(socket.getPeerCertificate().subjectaltname);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('createFleet', () => {
  it('certifies each name, several by one certificate, all of one authority', async () => {
    await using fleet = await createFleet(twoLoops);
    const names = fleet.hosts.map(({ domain }) => domain.split(':')[0] ?? '');
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(await certifiedNames(fleet, name)).toContain(`DNS:${name}`);
    expect(new X509Certificate(fleet.caPem).ca).toBe(true);
    await expect(certifiedNames(fleet, 'nobody.example')).rejects.toThrow();
  });

  it('serves every host on one port', async () => {
    await using fleet = await createFleet(twoLoops);
    const get = fetcher(fleet);
    for (const { domain } of fleet.hosts) {
      expect(domain).toMatch(new RegExp(`^[a-z]+-\\d{4}\\.example:${fleet.port}$`));
      const { body } = await get(`https://${domain}/api/v1/config`);
      expect(JSON.parse(String(body)).app.url).toBe(`https://${domain}`);
    }
  });

  it('creates the same fleet for the same seed, in any order of visits, and another one for another seed', async () => {
    const factsOf = async (seed: number, reversed: boolean) => {
      await using fleet = await createFleet({ hosts: 150, mix: { loops: 3, mastodon: 1, redirected: 1 }, seed });
      const withoutPort = (value: unknown) => JSON.stringify(value).replaceAll(`:${fleet.port}`, '');
      const hosts = fleet.hosts.map(withoutPort);
      const get = fetcher(fleet);
      const documents: string[] = [];
      const loops = fleet.hosts.filter(({ kind }) => kind === 'loops').slice(0, 5);
      for (const { domain } of reversed ? loops.reverse() : loops) {
        documents.push(withoutPort(String((await get(`https://${domain}/nodeinfo/2.0`)).body)));
      }
      return { hosts, documents: documents.sort() };
    };
    const first = await factsOf(7, false);
    expect(await factsOf(7, true)).toEqual(first);
    expect((await factsOf(8, false)).hosts).not.toEqual(first.hosts);
  });

  it('creates every kind that causes no time-out, and no other, if there are enough hosts', async () => {
    const quick = kinds.filter(({ weight }) => weight !== 0).map(({ name }) => name);
    await using fleet = await createFleet({ hosts: quick.length });
    expect(fleet.hosts.map(({ kind }) => kind).sort()).toEqual(quick.sort());
    await using standard = await createFleet();
    expect(new Set(standard.hosts.map(({ kind }) => kind))).toEqual(new Set(quick));
  });

  it('makes a Loops host of the fleet the target of every alias', async () => {
    await using fleet = await createFleet({ hosts: 12, mix: { loops: 1, redirected: 1, 'config-redirected': 1 } });
    const loops = fleet.hosts.filter(({ kind }) => kind === 'loops').map(({ domain }) => domain);
    const aliases = fleet.hosts.filter((host) => host.expect?.verdict === 'alias');
    expect(aliases.length).toBeGreaterThan(0);
    for (const alias of aliases) expect(loops).toContain(alias.expect?.aliasOf);
  });

  it('appends `tld` to the names of all hosts', async () => {
    await using fleet = await createFleet({ ...twoLoops, tld: 'test' });
    expect(fleet.hosts[0]?.domain).toMatch(/\.test:\d+$/);
    expect((await plainVisit(fleet, fleet.hosts[0]?.domain ?? '')).verdict).toBe('loops');
  });

  it.for([
    [{ loops: 1, mastodont: 1 }, 'unknown kinds: mastodont'],
    [{ redirected: 1 }, 'add "loops" to the mix'],
    [{ loops: 0 }, 'give one of them a positive weight'],
    [{ loops: -1 }, '"loops": -1'],
  ] as const)('refuses the mix %o', async ([mix, message]) => {
    await expect(createFleet({ mix })).rejects.toThrow(message);
  });

  it('throws and cleans up when its DNS port is taken', async () => {
    await using fleet = await createFleet(twoLoops);
    const dnsPort = Number(fleet.dnsServer.split(':')[1]);
    const before = process.getActiveResourcesInfo().length;
    await expect(createFleet({ ...twoLoops, dnsPort })).rejects.toThrow('EADDRINUSE');
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});

describe('a running fleet', () => {
  it('responds with 421 for an unknown name', async () => {
    await using fleet = await createFleet(twoLoops);
    const response = await fetch(`http://127.0.0.1:${fleet.port}/`);
    expect(response.status).toBe(421);
  });

  it('counts requests by host and path, and keeps the most recent ones', async () => {
    await using fleet = await createFleet(twoLoops);
    const [first = '', second = ''] = fleet.hosts.map(({ domain }) => domain);
    const get = fetcher(fleet);
    await get(`https://${first}/api/v1/config`);
    await get(`https://${first}/api/v1/config`);
    await get(`https://${first}/robots.txt`);
    await get(`https://${second}/robots.txt`);
    const { requests } = fleet;
    expect(requests.total).toBe(4);
    expect(requests.count(first)).toBe(3);
    expect(requests.count(first, '/api/v1/config')).toBe(2);
    expect(requests.paths(second)).toEqual(new Map([['/robots.txt', 1]]));
    expect(requests.recent.at(-1)).toMatchObject({ domain: second, method: 'GET', path: '/robots.txt' });
    requests.clear();
    expect([requests.total, requests.recent, requests.count(first)]).toEqual([0, [], 0]);
  });

  it('logs nothing when the log is off', async () => {
    await using fleet = await createFleet({ ...twoLoops, log: false });
    await fetcher(fleet)(`https://${fleet.hosts[0]?.domain}/robots.txt`);
    expect(fleet.requests.total).toBe(0);
  });

  it('waits for the configured delay before an answer', async () => {
    await using fleet = await createFleet({ ...twoLoops, delayMs: [150, 200] });
    const startedAt = performance.now();
    await fetcher(fleet)(`https://${fleet.hosts[0]?.domain}/api/v1/config`);
    // A timer may fire up to 1 ms early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
  });

  it('responds to the first request for config with 500, then with 200, on a host of the kind loops-first-500', async () => {
    await using fleet = await createFleet({ hosts: 1, mix: { 'loops-first-500': 1 } });
    const get = fetcher(fleet);
    const url = `https://${fleet.hosts[0]?.domain}/api/v1/config`;
    expect([(await get(url)).status, (await get(url)).status, (await get(url)).status]).toEqual([500, 200, 200]);
  });

  it('closes with requests and connections still open, removes caFile and leaves no handle', async () => {
    const before = process.getActiveResourcesInfo().length;
    const fleet = await createFleet({ hosts: 4, mix: { loops: 1, 'stalls-on-connect': 1 }, delayMs: 60_000 });
    const visits = fleet.hosts.map(({ domain }) => fetcher(fleet)(`https://${domain}/`).catch((error: Error) => error));
    const answering = fleet.hosts.filter(({ kind }) => kind === 'loops');
    await expect.poll(() => fleet.requests.total).toBe(answering.length);
    await fleet.close();
    await fleet.close();
    for (const visit of visits) expect(await visit).toBeInstanceOf(Error);
    expect(existsSync(fleet.caFile)).toBe(false);
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});
