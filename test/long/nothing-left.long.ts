import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createApp, createLogger, parseDomains } from '../../src/app/app.ts';
import type { Visit } from '../../src/model/visit.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { startCrawlBench } from '../bench/crawl-processes.ts';
import { manySorts } from '../process/predicted-fleet.ts';

const hosts = 1_000;
const passes = 3;

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

test('after 1,000 hosts of every fault, three times: all as predicted, no rejection, no socket and no memory left', async () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  onTestFinished(() => {
    process.off('unhandledRejection', onRejection);
  });
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-left-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = manySorts(hosts, { timeouts: true });
  // The fleet is in a process of its own, so that what is left here is left by the crawl.
  using bench = await startCrawlBench({ file });
  const { fleet } = bench;

  const settings = loadSettings({
    file: null,
    env: {},
    flags: {
      database: join(folder, 'left.sqlite'),
      domains: { allowSuffixes: ['example'] },
      network: { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
      queue: { visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0 },
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
    // Faults that happen only the first times are over at the second pass.
    const surprises = fleet.hosts.flatMap(({ domain, expect: predicted, row }) => {
      const visit = visits.get(domain);
      if (pass > 0 || predicted === null) return [];
      const isAsPredicted =
        visit?.verdict === predicted.verdict && (predicted.reason === null || visit.reason === predicted.reason);
      return isAsPredicted ? [] : [`${JSON.stringify(row)}: ${visit?.verdict} ${visit?.reason}`];
    });
    expect(surprises).toEqual([]);
    visits.clear();
    await expect.poll(openSockets, { timeout: 10_000 }).toBeLessThanOrEqual(socketsBefore);
    heaps.push(heapMB());
  }
  expect(rejections).toEqual([]);
  const [first = 0] = heaps;
  expect((heaps.at(-1) ?? 0) - first, `heap in MB after each pass: ${heaps.join(', ')}`).toBeLessThan(5);
});
