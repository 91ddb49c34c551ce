import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from './fleet-home.ts';

test('replay finds no difference after a crawl; it reports those that a changed setting makes, and makes their domains due', async () => {
  await using fleet = await createFleet({ hosts: 12, mix: { loops: 1, mastodon: 1, 'other-by-config': 1 } });
  using home = createFleetHome(fleet);
  const cli = (...args: string[]) => runCommand([...args, '--config', home.settingsFile], home.folder);
  await cli('crawl');
  const requestsBefore = fleet.requests.total;

  const unchanged = await cli('replay');
  expect(unchanged.code, unchanged.stderr).toBe(0);
  expect(unchanged.stdout).toContain('Read the documents of 12 visits: nothing would change.');
  expect(unchanged.stdout).toContain('The database is unchanged.');

  const otherSoftwareId = ['--set', 'softwareId=a-name-that-no-server-has'];
  const loops = fleet.hosts.filter(({ kind }) => kind === 'loops').map(({ domain }) => domain);
  const preview = await cli('replay', ...otherSoftwareId);
  expect(preview.stdout).toContain('verdict: "loops" -> "other"');
  expect(preview.stdout).toContain(`${loops.length}  verdict`);
  expect(preview.stdout).toContain('The database is unchanged.');

  const { stdout, code, stderr } = await cli('replay', '--revisit', '--json', ...otherSoftwareId);
  expect(code, stderr).toBe(0);
  const report = JSON.parse(stdout);
  const verdicts = report.differences.filter(({ field }: { field: string }) => field === 'verdict');
  expect(verdicts.map(({ domain }: { domain: string }) => domain).sort()).toEqual([...loops].sort());
  expect(report).toMatchObject({ end: 'done', changedVisits: loops.length, revisited: loops.length });
  expect(fleet.requests.total).toBe(requestsBefore);

  await cli('crawl', ...otherSoftwareId);
  expect(fleet.requests.total).toBeGreaterThan(requestsBefore);
  const explained = JSON.parse((await cli('explain', loops[0] ?? '', '--json')).stdout);
  expect(explained.verdict).toBe('other');
});

test('replay without a database creates none and reports the error', async () => {
  await using fleet = await createFleet({ hosts: 1 });
  using home = createFleetHome(fleet);
  for (const args of [[], ['--revisit']]) {
    const { code, stderr } = await runCommand(['replay', ...args, '--config', home.settingsFile], home.folder);
    expect(code).toBe(2);
    expect(stderr).toContain(home.database);
    expect(existsSync(home.database)).toBe(false);
  }
});
