import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Usage } from '../bench/measure.ts';
import { repository, runCli } from './run-cli.ts';
import { startHostileHosts } from './start-hostile-hosts.ts';
import { startService } from './start-service.ts';

test('192 hosts with endless informational (1xx) answers delay neither 64 good hosts, nor /health, nor SIGTERM', async () => {
  const { settingsFile, groups } = await startHostileHosts([
    { kinds: () => ['endless-100'], hosts: 192, spread: 16 },
    { kinds: () => ['good'], hosts: 64, spread: 16 },
  ]);
  const [, good = []] = groups;
  await using service = await startService(['--config', settingsFile]);
  const unvisited = () => {
    const visited = new Set(service.log.filter(({ verdict }) => verdict === 'other').map(({ domain }) => domain));
    return good.filter((domain) => !visited.has(domain));
  };
  const startedAt = performance.now();
  let slowestMs = 0;
  while (unvisited().length > 0 && performance.now() - startedAt < 45_000) {
    const requestedAt = performance.now();
    expect((await fetch(service.endpoints.health)).status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - requestedAt);
    await delay(250);
  }
  expect(unvisited()).toEqual([]);
  expect(slowestMs).toBeLessThan(1_000);
  await service.end('SIGTERM');

  const database = join(dirname(settingsFile), 'another.sqlite');
  await using another = await startService(['--config', settingsFile, '--set', `database=${database}`]);
  await another.waitForLog(({ msg }) => msg === 'visit');
  const { code, ms } = await another.end('SIGTERM');
  expect(code).toBe(0);
  expect(ms).toBeLessThan(10_000);
});

test('a crawl of 320 hosts with every kind of hostile answer takes at most 300 MB of memory', async () => {
  const { settingsFile } = await startHostileHosts([{ kinds: (all) => all, hosts: 320, spread: 40 }]);
  const usageFile = join(dirname(settingsFile), 'usage.json');
  const { code, stdout, stderr } = await runCli(['crawl', '--json', '--config', settingsFile], {
    // The settings of data/deploy. Without MALLOC_ARENA_MAX, glibc keeps up to 50 MB more of freed buffers.
    nodeArgs: ['--max-semi-space-size=8', '--import', `${repository}test/bench/measure.ts`],
    env: { BENCH_USAGE_FILE: usageFile, MALLOC_ARENA_MAX: '2' },
  });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ visited: 320 });
  const { peakRssMB } = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  expect(peakRssMB).toBeLessThan(300);
});
