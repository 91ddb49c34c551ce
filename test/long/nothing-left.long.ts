import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import type { Visit } from '../../src/model/visit.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { startCrawlBench } from '../bench/crawl-processes.ts';
import { mixedFleet } from '../process/mixed-fleet.ts';

const hosts = 300;
const passes = 3;

/** V8 adds `gc` only to contexts that are created after the flag is set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

const openSockets = () =>
  process.getActiveResourcesInfo().filter((resource) => /TCP|TLS|UDP|QUERYWRAP/i.test(resource)).length;
const heapMB = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

test('three passes over 300 hosts with every fault leak no rejection, socket or memory, and the first gives the predicted results', async () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  onTestFinished(() => {
    process.off('unhandledRejection', onRejection);
  });
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-left-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = mixedFleet(hosts, { timeouts: true });
  // The fleet runs in its own process, so leaks in this one come from the crawl.
  using bench = await startCrawlBench({ file });
  const { fleet } = bench;

  const settings = loadSettings({
    file: null,
    env: {},
    flags: {
      database: join(folder, 'left.sqlite'),
      domains: { allowSuffixes: ['example'] },
      network: {
        ...{ allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
        timeouts: { connectMs: 5_000, responseMs: 7_000, visitMs: 18_000 },
      },
      queue: { concurrency: 40, visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0 },
    },
  });
  const socketsBefore = openSockets();
  const heaps: number[] = [];
  await using app = await createApp(settings, createLogger({ level: 'error', stream: process.stderr }));
  const domains = parseDomains(
    fleet.hosts.map(({ domain }) => domain),
    settings,
  );
  for (let pass = 0; pass < passes; pass += 1) {
    const visits = new Map<string, Visit>();
    const end = await app.crawl({
      only: domains,
      signal: new AbortController().signal,
      onCompleted: (visit) => visits.set(visit.domain, visit),
    });
    expect(end).toBe('done');
    expect(visits.size).toBe(hosts);
    // Only the first pass is compared, because some faults affect only the first requests.
    const mismatches = fleet.hosts.flatMap(({ domain, expect: predicted, row }) => {
      const visit = visits.get(domain);
      if (pass > 0 || predicted === null) return [];
      const { verdict, reason, via, software, version, aliasOf } = visit ?? {};
      const found = { verdict, reason, via, software, version, aliasOf };
      const expected = { aliasOf: null, ...predicted, reason: predicted.reason ?? reason };
      return isDeepStrictEqual(found, expected) ? [] : [`${JSON.stringify(row)}: ${JSON.stringify(found)}`];
    });
    expect(mismatches).toEqual([]);
    visits.clear();
    await expect.poll(openSockets).toBeLessThanOrEqual(socketsBefore);
    heaps.push(heapMB());
  }
  expect(rejections).toEqual([]);
  const [first = 0] = heaps;
  expect((heaps.at(-1) ?? 0) - first, `heap in MB after each pass: ${heaps.join(', ')}`).toBeLessThan(5);
});
