import { describe, expect, onTestFinished, test } from 'vitest';
import { parseDomains } from '../../../src/app/app.ts';
import { createNetwork, type NetworkParts } from '../../../src/app/network.ts';
import { PostponedVisit } from '../../../src/identify/identify.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { loadSettings } from '../../../src/settings/settings.ts';
import { createSampleFleet, createThreeHosts, generousLimits, visitAll } from './compare-visits.ts';

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

test('child processes give each sampled kind of host the same verdict, steps and facts as the main process', async () => {
  await using fleet = await createSampleFleet(3);
  const settings = (processes: number) =>
    loadSettings({
      file: null,
      env: {},
      flags: {
        domains: { allowSuffixes: ['example'] },
        network: { ...generousLimits, allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
        queue: { processes },
      },
    });
  const mainProcess = networkFor(settings(0));
  const childProcesses = networkFor(settings(2));
  const domains = parseDomains(
    fleet.hosts.map(({ domain }) => domain),
    settings(0),
  );
  const expected = await visitAll(domains, mainProcess.visit);
  expect(await visitAll(domains, childProcesses.visit)).toEqual(expected);
}, 60_000);

describe('a visit that leads to other hosts', () => {
  test('continues in a child process once the crawling process has admitted each of them', async () => {
    const { settings, domain, requests, pathsRequestedFrom } = await createThreeHosts();
    const admitted: string[] = [];
    const slots = { taken: 0, released: 0 };
    const { visit } = networkFor(settings, {
      mayContactHost: ({ hostname }, visited, addresses) => {
        expect(visited).toBe(domain);
        expect(pathsRequestedFrom(hostname.split('.')[0] ?? '')).toEqual([]);
        admitted.push(`${hostname} ${addresses[0]?.address}`);
        return true;
      },
      admitThirdParty: async (addresses) => {
        slots.taken += addresses.length;
        return () => {
          slots.released += addresses.length;
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
    // Each continuation of the visit receives the earlier answers, so no request is repeated.
    expect(requests).toHaveLength(new Set(requests).size);
    expect(slots.taken).toBeGreaterThan(0);
    expect(slots.released).toBe(slots.taken);
  });

  test('never contacts a host that opted out, or that has reached a limit', async () => {
    const { settings, domain, pathsRequestedFrom } = await createThreeHosts();
    const { visit } = networkFor(settings, { isOptedOut: (host) => host.startsWith('robots.other.example') });
    expect(await visit(domain)).toMatchObject({ verdict: 'loops' });
    expect(pathsRequestedFrom('robots')).toEqual([]);
    const limited = networkFor(settings, { mayContactHost: ({ hostname }) => hostname !== 'nodes.example' });
    const before = pathsRequestedFrom('nodes').length;
    expect(await limited.visit(domain)).toMatchObject({ verdict: 'unidentified', reason: 'href-refused' });
    await expect(limited.visit(domain, true)).rejects.toThrow(PostponedVisit);
    expect(pathsRequestedFrom('nodes')).toHaveLength(before);
  });
});
