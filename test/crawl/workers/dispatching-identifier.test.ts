import { describe, expect, onTestFinished, test } from 'vitest';
import { parseDomains } from '../../../src/app/app.ts';
import { createNetwork, httpOptionsOf } from '../../../src/app/network.ts';
import { createVisitor } from '../../../src/crawl/workers/carry-out.ts';
import {
  createDispatchingIdentifier,
  type DispatchOptions,
} from '../../../src/crawl/workers/dispatching-identifier.ts';
import { decodeBytes, encodeBytes, parseResult } from '../../../src/crawl/workers/engine-messages.ts';
import type { Visitors, VisitResult, VisitTask } from '../../../src/crawl/workers/visit-task.ts';
import type { Identifier } from '../../../src/identify/identifier.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { loadSettings, type Settings } from '../../../src/settings/settings.ts';
import { createSampleFleet, createThreeHosts, generousLimits, visitAll } from './compare-visits.ts';

const clocks = { now: Date.now, clock: () => performance.now() };

/** Carries out visits in this process; tasks and results are encoded as for the job engine. */
function createLocalWorker({ network }: Settings): Visitors {
  const carryOut = createVisitor(network, clocks.clock);
  const throughJson = (value: unknown) => JSON.parse(JSON.stringify(encodeBytes(value)));
  return {
    async visit(task) {
      const result = await carryOut(decodeBytes(throughJson(task)) as VisitTask, () => true);
      const message = { job: crypto.randomUUID(), worker: { name: 'west', version: '1.0.0' }, result };
      return parseResult(throughJson(message))?.result as VisitResult;
    },
    cancelWaiting: () => undefined,
    cancelAll: () => undefined,
  };
}

function visitWith(identifier: Identifier) {
  onTestFinished(() => identifier.cancelAll());
  return async (domain: Domain): Promise<Visit> => {
    const resolved = await identifier.resolve(domain);
    return 'verdict' in resolved ? resolved : await identifier.identify(resolved);
  };
}

function visitByWorker(settings: Settings, parts: Partial<DispatchOptions> = {}) {
  const { resolver, guard, userAgent } = httpOptionsOf(settings, clocks);
  const { softwareId, robots, domains } = settings;
  const identifier = createDispatchingIdentifier({
    ...{ resolver, guard, now: Date.now, visitors: createLocalWorker(settings) },
    local: createNetwork(settings, clocks).identifier,
    options: { softwareId, robots, userAgent, allowSuffixes: domains.allowSuffixes },
    ...parts,
  });
  return visitWith(identifier);
}

test('a worker gives each sampled kind of host the same verdict, steps and facts as the crawling process', async () => {
  await using fleet = await createSampleFleet(3);
  const settings = loadSettings({
    file: null,
    env: {},
    flags: {
      domains: { allowSuffixes: ['example'] },
      network: { ...generousLimits, allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
    },
  });
  const domains = parseDomains(
    fleet.hosts.map(({ domain }) => domain),
    settings,
  );
  const expected = await visitAll(domains, visitWith(createNetwork(settings, clocks).identifier));
  expect(await visitAll(domains, visitByWorker(settings))).toEqual(expected);
}, 60_000);

describe('a visit that leads to other hosts', () => {
  test('continues at a worker once the crawling process has admitted each of them', async () => {
    const { settings, domain, requests, pathsRequestedFrom } = await createThreeHosts();
    const admitted: string[] = [];
    const slots = { taken: 0, released: 0 };
    const visit = visitByWorker(settings, {
      mayContactHost: ({ hostname }, visited, addresses) => {
        expect(visited).toEqual({ domain, isSubmission: false });
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
    const visit = visitByWorker(settings, { isOptedOut: ({ hostname }) => hostname === 'robots.other.example' });
    expect(await visit(domain)).toMatchObject({ verdict: 'loops' });
    expect(pathsRequestedFrom('robots')).toEqual([]);
    const limited = visitByWorker(settings, { mayContactHost: ({ hostname }) => hostname !== 'nodes.example' });
    const before = pathsRequestedFrom('nodes').length;
    expect(await limited(domain)).toMatchObject({ verdict: 'unidentified', reason: 'href-refused' });
    expect(pathsRequestedFrom('nodes')).toHaveLength(before);
  });
});
