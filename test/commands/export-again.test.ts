import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { runCommand } from './run-command.ts';

test('export writes the datasets from the database alone and leaves unchanged files untouched', async () => {
  await using fleet = await createFleet({ hosts: 8, mix: { loops: 1, mastodon: 1 } });
  using home = createFleetHome(fleet);
  await runCommand(['crawl', '--config', home.settingsFile], home.folder);
  const instances = join(home.exportDir, 'instances.json');
  const { ino } = statSync(instances);
  const requests = fleet.requests.total;
  const again = await runCommand(['export', '--config', home.settingsFile], home.folder);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stdout).toContain('(nothing changed)');
  expect(statSync(instances).ino).toBe(ino);

  rmSync(instances);
  await runCommand(['export', '--config', home.settingsFile], home.folder);
  const published = JSON.parse(readFileSync(instances, 'utf8')).instances;
  const loops = fleet.hosts.filter(({ kind }) => kind === 'loops').map(({ domain }) => domain);
  expect(published.map(({ domain }: { domain: string }) => domain)).toEqual(loops.sort());
  expect(fleet.requests.total).toBe(requests);

  writeFileSync(instances, readFileSync(instances).toReversed());
  const mended = await runCommand(['export', '--config', home.settingsFile], home.folder);
  expect(mended.stdout).not.toContain('(nothing changed)');
  expect(JSON.parse(readFileSync(instances, 'utf8')).instances).toEqual(published);
  // Nothing was recorded, but the settings, and then the database, have changed.
  const licence = await runCommand(
    ['export', '--config', home.settingsFile, '--set', 'export.licence=CC0-1.0'],
    home.folder,
  );
  expect(licence.stdout).not.toContain('(nothing changed)');
  await runCommand(['export', '--config', home.settingsFile], home.folder);
  await runCommand(['add', 'new.example', '--config', home.settingsFile], home.folder);
  const added = await runCommand(['export', '--config', home.settingsFile], home.folder);
  expect(added.stdout).toContain(`${fleet.hosts.length + 1} domains`);
});
