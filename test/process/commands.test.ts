import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { createFleetHome } from './fleet-home.ts';
import { repository, runCli } from './run-cli.ts';

test('settings shows what is in force, and the schema that the repository ships', async () => {
  const { stdout } = await runCli(['settings', '--set', 'queue.concurrency=7']);
  expect(JSON.parse(stdout)).toMatchObject({ softwareId: 'loops', queue: { concurrency: 7, perAddress: 4 } });
  const schema = await runCli(['settings', '--schema']);
  const shipped = readFileSync(join(repository, 'data/crawler.config.schema.json'), 'utf8');
  expect(JSON.parse(schema.stdout)).toEqual(JSON.parse(shipped));
});

test('export writes the datasets again from the database alone, and leaves what has not changed', async () => {
  await using fleet = await createFleet({ hosts: 8, mix: { loops: 1, mastodon: 1 } });
  using home = createFleetHome(fleet);
  await runCli(['crawl', '--config', home.settingsFile]);
  const instances = join(home.exportDir, 'instances.json');
  const { ino } = statSync(instances);
  const asked = fleet.requests.total;
  const again = await runCli(['export', '--config', home.settingsFile]);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).toContain('(nothing changed)');
  expect(statSync(instances).ino).toBe(ino);

  rmSync(instances);
  await runCli(['export', '--config', home.settingsFile]);
  const published = JSON.parse(readFileSync(instances, 'utf8')).instances;
  const loops = fleet.hosts.filter(({ kind }) => kind === 'loops').map(({ domain }) => domain);
  expect(published.map(({ domain }: { domain: string }) => domain)).toEqual(loops.sort());
  expect(fleet.requests.total).toBe(asked);
});
