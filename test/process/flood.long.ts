import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Usage } from '../bench/measure.ts';
import { repository, runCli } from './run-cli.ts';
import { startHostileHosts } from './start-hostile-hosts.ts';
import { startService } from './start-service.ts';

test('80 hosts with endless informational (1xx) answers keep the service neither from 16 good hosts nor from answering /health and SIGTERM', async () => {
  const { settingsFile, groups } = await startHostileHosts([
    { kinds: () => ['endless-100'], hosts: 80, spread: 16 },
    { kinds: () => ['good'], hosts: 16, spread: 16 },
  ]);
  const [, good = []] = groups;
  await using service = await startService(['--config', settingsFile]);
  const unvisited = () => {
    const visited = new Set(service.log.filter(({ verdict }) => verdict === 'other').map(({ domain }) => domain));
    return good.filter((domain) => !visited.has(domain));
  };
  const unvisitedWhileHealthy = async () => {
    expect((await fetch(service.endpoints.health)).status).toBe(200);
    return unvisited();
  };
  await expect.poll(unvisitedWhileHealthy, { timeout: 120_000 }).toEqual([]);
  await service.end('SIGTERM');

  const database = join(dirname(settingsFile), 'another.sqlite');
  await using another = await startService(['--config', settingsFile, '--set', `database=${database}`]);
  await another.waitForLog(({ msg }) => msg === 'visit');
  expect((await another.end('SIGTERM')).code).toBe(0);
});

test('a crawl of 80 hosts with every kind of hostile answer takes at most 300 MB of memory', async () => {
  const { settingsFile } = await startHostileHosts([{ kinds: (all) => all, hosts: 80, spread: 20 }]);
  const usageFile = join(dirname(settingsFile), 'usage.json');
  const { code, stdout, stderr } = await runCli(['crawl', '--json', '--config', settingsFile], {
    // The settings of data/deploy. Without MALLOC_ARENA_MAX, glibc keeps up to 50 MB more of freed buffers.
    nodeArgs: ['--max-semi-space-size=8', '--import', `${repository}test/bench/measure.ts`],
    env: { BENCH_USAGE_FILE: usageFile, MALLOC_ARENA_MAX: '2' },
  });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ visited: 80 });
  const { peakRssMB } = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  expect(peakRssMB).toBeLessThan(300);
});
