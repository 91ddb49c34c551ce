import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApp, createLogger, parseDomains } from '../../../src/app/app.ts';
import { createNetwork, type NetworkParts } from '../../../src/app/network.ts';
import { createChildProcesses } from '../../../src/crawl/visitors/child-processes.ts';
import { type VisitOrder, VisitorLostError } from '../../../src/crawl/visitors/visit-order.ts';
import { PostponedVisit } from '../../../src/identify/identify.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { createFleet, kinds } from '../../../src/reference/index.ts';
import { loadSettings } from '../../../src/settings/settings.ts';
import { createTestNetwork } from '../../create-test-network.ts';
import { visitProcesses } from '../../process/visit-processes.ts';
import { createThreeHosts, patient, visitAll } from './compare-visits.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
const clocks = { now: Date.now, clock: () => performance.now() };

function networkFor(settings: ReturnType<typeof loadSettings>, parts: Partial<NetworkParts> = {}) {
  const { identifier } = createNetwork(settings, { ...clocks, ...parts });
  onTestFinished(() => identifier.cancelAll());
  return {
    identifier,
    async visit(domain: Domain, mayPostpone = false): Promise<Visit> {
      const resolved = await identifier.resolve(domain);
      return 'verdict' in resolved ? resolved : await identifier.identify(resolved, { mayPostpone });
    },
  };
}

test('child processes give every kind of host the same verdict, steps and facts as the main process', async () => {
  const quick = kinds.filter(({ weight }, index) => weight !== 0 && index % 3 === 0);
  await using fleet = await createFleet({ hosts: quick.length, log: false });
  const settings = (processes: number) =>
    loadSettings({
      file: null,
      env: {},
      flags: {
        domains: { allowSuffixes: ['example'] },
        network: { ...patient, allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
        queue: { processes },
      },
    });
  const here = networkFor(settings(0));
  const there = networkFor(settings(2));
  const domains = parseDomains(
    fleet.hosts.map(({ domain }) => domain),
    settings(0),
  );
  const expected = await visitAll(domains, here.visit);
  expect(await visitAll(domains, there.visit)).toEqual(expected);
});

describe('a visit that leads to other hosts', () => {
  test('continues in a child process once the scheduler has admitted each of them', async () => {
    const { settings, domain, requests, asked } = await createThreeHosts();
    const admitted: string[] = [];
    let slots = 0;
    const { visit } = networkFor(settings, {
      mayContactHost: ({ hostname }, visited, addresses) => {
        expect(visited).toBe(domain);
        expect(asked(hostname.split('.')[0] ?? '')).toEqual([]);
        admitted.push(`${hostname} ${addresses[0]?.address}`);
        return true;
      },
      admitThirdParty: async (addresses) => {
        slots += addresses.length;
        return () => {
          slots -= addresses.length;
        };
      },
    });
    const result = await visit(domain);
    expect(result).toMatchObject({ verdict: 'loops', via: 'nodeinfo', host: { tlsExpires: expect.any(Number) } });
    expect(result.steps.map(({ probe, status }) => [probe, status])).toEqual([
      ['dns', null],
      ['robots', 301],
      ['robots', 200],
      ['config', 404],
      ['discovery', 200],
      ['robots', 404],
      ['nodeinfo', 200],
    ]);
    expect(admitted).toEqual(['robots.other.example 127.0.22.2', 'nodes.example 127.0.22.3']);
    // No request is repeated.
    expect(requests).toHaveLength(new Set(requests).size);
    expect(slots).toBe(0);
  });

  test('never contacts a host that opted out, or that has reached a limit', async () => {
    const { settings, domain, asked } = await createThreeHosts();
    const { visit } = networkFor(settings, { isOptedOut: (host) => host.startsWith('robots.other.example') });
    expect(await visit(domain)).toMatchObject({ verdict: 'loops' });
    expect(asked('robots')).toEqual([]);
    const limited = networkFor(settings, { mayContactHost: ({ hostname }) => hostname !== 'nodes.example' });
    const before = asked('nodes').length;
    expect(await limited.visit(domain)).toMatchObject({ verdict: 'unidentified', reason: 'href-refused' });
    await expect(limited.visit(domain, true)).rejects.toThrow(PostponedVisit);
    expect(asked('nodes')).toHaveLength(before);
  });
});

const LOST = 'a child process ended with signal SIGKILL; its visits are repeated';

/** Two child processes that never get an answer, because their host does not send one. */
async function createStalledVisits(budgetMs = 60_000) {
  const testNetwork = await createTestNetwork();
  let waiting = 0;
  const domain = (await testNetwork.listen('slow.example', '127.0.22.9', async () => {
    waiting += 1;
    return await new Promise(() => undefined);
  })) as Domain;
  const { network, softwareId, robots } = testNetwork.settings({});
  const deaths: string[] = [];
  const visitors = createChildProcesses({
    ...{ count: 2, network, budgetMs },
    onTrouble: (message) => deaths.push(message),
  });
  onTestFinished(() => visitors.cancelAll());
  const order: VisitOrder = {
    domain,
    steps: [],
    host: { ipv4: true, ipv6: false, tlsExpires: null, noindex: null, canonicalHost: null },
    hosts: [['slow.example', { kind: 'allowed', addresses: [{ address: '127.0.22.9', family: 4 }] }]],
    cachedRobots: null,
    options: { softwareId, robots, allowSuffixes: ['example'], userAgent: 'Loopscout/0.0.0' },
    earlier: { exchanges: [], certificate: null },
  };
  const visits = [visitors.visit(order), visitors.visit(order)];
  const results = Promise.allSettled(visits);
  await vi.waitFor(() => expect(waiting).toBe(2), { timeout: 10_000 });
  return { visits, results, deaths, visitors, order };
}

const childProcesses = () => visitProcesses(process.pid);

describe('the visits of a child process', () => {
  test('are lost when it is killed, and the next visit starts another', async () => {
    const { visits, deaths, visitors, order } = await createStalledVisits();
    const [first = 0] = childProcesses();
    process.kill(first, 'SIGKILL');
    await expect(Promise.race(visits)).rejects.toThrow(VisitorLostError);
    expect(deaths).toEqual([LOST]);
    const next = visitors.visit(order);
    await vi.waitFor(() => expect(childProcesses()).toHaveLength(2));
    visitors.cancelAll();
    await expect(next).rejects.toThrow(VisitorLostError);
  });

  test('are lost when it is frozen past their deadline', async () => {
    const { results, deaths } = await createStalledVisits(4_000);
    for (const pid of childProcesses()) process.kill(pid, 'SIGSTOP');
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(deaths).toEqual([LOST, LOST]);
    expect(childProcesses()).toEqual([]);
  });

  test('end when all visits are cancelled', async () => {
    const { results, deaths, visitors } = await createStalledVisits();
    visitors.cancelAll();
    for (const result of await results) expect(result).toMatchObject({ reason: expect.any(VisitorLostError) });
    expect(childProcesses()).toEqual([]);
    expect(deaths).toEqual([]);
  });
});

test('a domain whose child process is killed is visited again at once, and counts it from the second time', async () => {
  const testNetwork = await createTestNetwork();
  let requests = 0;
  const named = await testNetwork.listen('deadly.example', '127.0.22.10', async (path) => {
    requests += 1;
    if (requests <= 2) for (const pid of childProcesses()) process.kill(pid, 'SIGKILL');
    return path === '/api/v1/config' ? { app: { software: 'other' } } : null;
  });
  const settings = testNetwork.settings({ processes: 1 });
  const domains = parseDomains([named], settings);
  await using app = await createApp(settings, logger);
  app.store.enter(domains, Date.now());
  const startedAt = performance.now();
  const visits: Visit[] = [];
  const end = await app.crawl({
    signal: new AbortController().signal,
    onCompleted: (visit) => visits.push(visit),
  });
  expect(end).toBe('done');
  expect(visits.map(({ verdict }) => verdict)).toEqual(['other']);
  // The second death delays the third visit by a second.
  expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  using reader = app.store.reader();
  expect([...reader.visitsOf(domains[0] as Domain)]).toHaveLength(1);
});
