import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { withSqlite } from '../store/scratch.ts';
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
  // The dated file of the day is in no list but its index.
  const dated = join(home.exportDir, 'history', readdirSync(join(home.exportDir, 'history'))[0] ?? '');
  writeFileSync(dated, readFileSync(dated).subarray(0, 40));
  const named = await runCommand(['export', '--config', home.settingsFile], home.folder);
  expect(named.stdout).not.toContain('(nothing changed)');
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

  // What cannot be stored of an export makes the next one write again; it does not make this one fail.
  await runCommand(['add', 'newer.example', '--config', home.settingsFile], home.folder);
  withSqlite(home.database, (sqlite) =>
    sqlite.exec(`create trigger t before insert on metadata when new.key = 'last-export' begin
      select raise(fail, 'no'); end`),
  );
  const unrecorded = await runCommand(['export', '--config', home.settingsFile], home.folder);
  expect(unrecorded).toMatchObject({ code: 0, stdout: expect.stringContaining(`${fleet.hosts.length + 2} domains`) });
});
