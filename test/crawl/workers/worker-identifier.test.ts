import { describe, expect, onTestFinished, test } from 'vitest';
import { createNetwork, httpOptionsOf, visitContextOf } from '../../../src/app/network.ts';
import { parseResult } from '../../../src/crawl/workers/exchange.ts';
import { createVisitByTask } from '../../../src/crawl/workers/visit-by-task.ts';
import { createTask } from '../../../src/crawl/workers/visit-task.ts';
import { createWorkerIdentifier } from '../../../src/crawl/workers/worker-identifier.ts';
import { createHttp } from '../../../src/http/visit-client.ts';
import { createIdentifier, type Identifier } from '../../../src/identify/identifier.ts';
import type { VisitContext } from '../../../src/identify/visit-context.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { parseDomains } from '../../../src/settings/parse-domains.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { createTestNetwork } from '../../create-test-network.ts';
import { createSampleFleet, createThreeHosts, visitAll } from './compare-visits.ts';

const clocks = { now: Date.now, clock: () => performance.now() };

function visitWith(identifier: Identifier, context: VisitContext) {
  onTestFinished(() => identifier.cancelAll());
  return async (domain: Domain): Promise<Visit> => {
    const resolved = await identifier.resolve(domain);
    return 'verdict' in resolved ? resolved : await identifier.identify(resolved, context);
  };
}

type Exchanges = Extract<ReturnType<typeof parseResult>, { exchanges: unknown }>;

/**
 * Visits by a worker in this process; tasks and results pass through JSON, as in the job engine.
 *
 * @param change what a worker sends instead of its result.
 */
function visitByWorker(
  settings: Settings,
  parts: Partial<VisitContext> = {},
  change = (result: Exchanges): unknown => result,
) {
  const http = httpOptionsOf(settings, clocks);
  const admitted: string[] = [];
  const local = createIdentifier({
    ...http,
    openClient: createHttp({
      ...http,
      optOuts: parts.optOuts,
      thirdParties: {
        async admit(addresses) {
          admitted.push(...addresses.map(({ address }) => address));
          return () => undefined;
        },
      },
    }),
    ...clocks,
  });
  const visitByTask = createVisitByTask(settings.network, clocks.clock);
  const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value));
  const identifier = createWorkerIdentifier(local, {
    async visit(host, context) {
      const options = { version: '1.0.0', userAgent: http.userAgent, budgetMs: 60_000 };
      const { visit, ...sent } = await visitByTask(throughJson(createTask(options, host, context)), () => true);
      const result = { worker: { name: 'west', version: '1.0.0' }, ...sent };
      return parseResult(throughJson(change(result)), host.domain) as Exchanges;
    },
    cancelWaiting: () => undefined,
    cancelAll: () => undefined,
  });
  return { visit: visitWith(identifier, visitContextOf(settings, parts)), admitted };
}

test('a worker gives each sampled kind of host the same verdict, steps and facts as the crawling process', async () => {
  await using fleet = await createSampleFleet(8);
  const { settings, domains } = fleet;
  const { identifier } = createNetwork(settings, clocks);
  const expected = await visitAll(domains, visitWith(identifier, visitContextOf(settings)));
  expect(await visitAll(domains, visitByWorker(settings).visit)).toEqual(expected);
}, 60_000);

describe('a visit that leads to other hosts', () => {
  test('is continued by the crawling process, which contacts them within its limits and repeats no request', async () => {
    const { settings, domain, requests } = await createThreeHosts();
    const contacted: string[] = [];
    const { visit, admitted } = visitByWorker(settings, {
      thirdParties: {
        mayContact({ hostname }, addresses) {
          contacted.push(`${hostname} ${addresses[0]?.address}`);
          return true;
        },
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
    expect(contacted).toEqual(['robots.other.example 127.0.22.2', 'nodes.example 127.0.22.3']);
    expect(new Set(admitted)).toEqual(new Set(['127.0.22.2', '127.0.22.3']));
    expect(requests).toHaveLength(new Set(requests).size);
  });

  test('never contacts a host that opted out, or that has reached a limit', async () => {
    const { settings, domain, pathsRequestedFrom } = await createThreeHosts();
    const optOuts = { covers: ({ hostname }: URL) => hostname === 'robots.other.example' };
    expect(await visitByWorker(settings, { optOuts }).visit(domain)).toMatchObject({ verdict: 'loops' });
    expect(pathsRequestedFrom('robots')).toEqual([]);
    const before = pathsRequestedFrom('nodes').length;
    const thirdParties = { mayContact: ({ hostname }: URL) => hostname !== 'nodes.example' };
    expect(await visitByWorker(settings, { thirdParties }).visit(domain)).toMatchObject({
      ...{ verdict: 'unidentified', reason: 'third-party-limit' },
    });
    expect(pathsRequestedFrom('nodes')).toHaveLength(before);
  });
});

describe('the crawling process', () => {
  async function createLoopsHost() {
    const testNetwork = await createTestNetwork();
    const requests: string[] = [];
    const host = await testNetwork.listen('loops.example', '127.0.24.1', async (path) => {
      requests.push(path);
      return path === '/api/v1/config' ? { app: { software: 'loops', version: '1.0.0' }, federation: false } : null;
    });
    const settings = testNetwork.settings({});
    const [domain] = parseDomains([host], settings) as [Domain];
    return { settings, domain, requests };
  }

  test('sends a request itself that a worker left out', async () => {
    const { settings, domain, requests } = await createLoopsHost();
    const { visit } = visitByWorker(settings, {}, (result) => ({ ...result, exchanges: result.exchanges.slice(0, 1) }));
    expect(await visit(domain)).toMatchObject({ verdict: 'loops', via: 'config' });
    expect(requests).toEqual(['/robots.txt', '/api/v1/config', '/api/v1/config']);
  });

  test('records the address at which the worker met the host, unless it is not one of the host', async () => {
    const { settings, domain } = await createLoopsHost();
    const hostOf = async (change?: (result: Exchanges) => unknown) =>
      (await visitByWorker(settings, {}, change).visit(domain)).host;
    expect(await hostOf()).toMatchObject({ address: '127.0.24.1' });
    expect(await hostOf((result) => ({ ...result, answeredAt: '192.0.2.1' }))).toMatchObject({ address: null });
  });

  test('measures a visit by the times of its requests', async () => {
    const { settings, domain } = await createLoopsHost();
    const { visit } = visitByWorker(settings, {}, ({ exchanges, ...rest }) => ({
      ...rest,
      exchanges: exchanges.map((exchange) => ({ ...exchange, result: { ...exchange.result, ms: 20_000.5 } })),
    }));
    const before = Date.now();
    const { at, durationMs, steps } = await visit(domain);
    expect(Number.isInteger(at) && Number.isInteger(durationMs)).toBe(true);
    expect(durationMs).toBeGreaterThanOrEqual(40_001);
    expect(at).toBeLessThan(before);
    expect(steps.slice(1).map(({ ms }) => ms)).toEqual([20_001, 20_001]);
  });

  test('decides itself whether the cached robots.txt is still valid, whatever the clock of the worker shows', async () => {
    const { settings, domain, requests } = await createLoopsHost();
    const cachedRobots = { readAt: Date.now(), body: Buffer.from('User-agent: *\nDisallow: /private\n') };
    const { visit } = visitByWorker(settings, { cachedRobots }, (result) => ({
      ...result,
      // A worker whose clock is a day fast has requested robots.txt.
      exchanges: [{ ...result.exchanges[0], url: `https://${domain}/robots.txt` }, ...result.exchanges],
    }));
    const { verdict, steps, robots } = await visit(domain);
    expect([verdict, robots]).toEqual(['loops', null]);
    expect(steps.map(({ probe, status }) => [probe, status])).toEqual([
      ['dns', null],
      ['robots', null],
      ['config', 200],
    ]);
    expect(requests).toEqual(['/api/v1/config']);
  });
});
