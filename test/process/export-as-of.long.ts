import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from './fleet-home.ts';
import { repository } from './run-cli.ts';

const run = (args: string[]) => runCommand(args, repository);

test('export --as-of reproduces earlier files, diff lists what changed since, and an implausible export needs --force', async () => {
  await using fleet = await createFleet({ hosts: 8, log: false, mix: { 'loops-federation-off': 1 } });
  using home = createFleetHome(fleet);
  const config = ['--config', home.settingsFile];
  const domains = fleet.hosts.map(({ domain }) => domain);
  const read = (dir: string, name: string) => readFileSync(join(dir, name), 'utf8');
  const instancesIn = (dir: string) => JSON.parse(read(dir, 'instances.json')).instances;
  expect((await run(['crawl', ...config])).code).toBe(0);
  const earlier = instancesIn(home.exportDir);
  const earlierLines = read(home.exportDir, 'domains.ndjson');
  const at = new Date().toISOString();

  const [upgraded = '', toggled = ''] = domains;
  const [upgradedState, toggledState] = [fleet.stateOf(upgraded), fleet.stateOf(toggled)];
  if (upgradedState === undefined || toggledState === undefined) throw new Error('the fleet has no such hosts');
  upgradedState.config.app.version = '1.9.0';
  toggledState.config.registration = !toggledState.config.registration;
  expect((await run(['crawl', ...config, upgraded, toggled])).code).toBe(0);
  expect(instancesIn(home.exportDir)).not.toEqual(earlier);

  const past = join(home.folder, 'past');
  const asOf = await run(['export', '--as-of', at, '--dir', past, ...config]);
  expect(asOf.code, asOf.stderr).toBe(0);
  expect(read(past, 'domains.ndjson')).toBe(earlierLines);
  const withoutUptime = ({ uptime: _, ...entry }: Record<string, unknown>) => entry;
  expect(instancesIn(past).map(withoutUptime)).toEqual(earlier.map(withoutUptime));

  const diff = await run(['diff', at, 'now', '--json', ...config]);
  expect(diff.code, diff.stderr).toBe(0);
  const changes = JSON.parse(diff.stdout);
  expect(JSON.stringify(changes.upgraded)).toContain(upgraded);
  expect(JSON.stringify([changes.opened, changes.closed])).toContain(toggled);
  expect((await run(['diff', at, 'now', ...config])).stdout).toContain('1.9.0');

  // All hosts but one switch to other software.
  for (const domain of domains.slice(1)) {
    const state = fleet.stateOf(domain);
    if (state !== undefined) state.config.app.software = 'pixelfed';
  }
  const published = read(home.exportDir, 'instances.json');
  const heldBack = await run(['crawl', ...config, ...domains]);
  expect(heldBack.code).toBe(1);
  expect(heldBack.stderr).toMatch(/were kept as they were: .*export --force/s);
  expect(read(home.exportDir, 'instances.json')).toBe(published);
  expect((await run(['export', ...config])).code).toBe(1);
  expect((await run(['export', '--force', ...config])).code).toBe(0);
  expect(instancesIn(home.exportDir).map(({ domain }: { domain: string }) => domain)).toEqual([upgraded]);
});

test('an invalid time, or a past export into the current folder, is refused with 2', async () => {
  await using fleet = await createFleet({ hosts: 1, log: false, mix: { loops: 1 } });
  using home = createFleetHome(fleet);
  const config = ['--config', home.settingsFile];
  expect((await run(['crawl', ...config])).code).toBe(0);
  const now = new Date().toISOString();
  const cases: [args: string[], message: RegExp][] = [
    [['export', '--as-of', 'yesterday', '--dir', 'x'], /--as-of is yesterday; allowed: a date or time/],
    [['export', '--as-of', '2099-01-01', '--dir', 'x'], /--as-of is 2099-01-01, which is in the future/],
    [['export', '--as-of', now], /needs --dir/],
    [['export', '--as-of', now, '--dir', home.exportDir], /folder of the current files/],
    [['diff', 'now', now], /name the earlier time first/],
    [['diff', '2026-01-01', '2026-01-02', 'now'], /leave out now/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await run([...args, ...config]);
    expect(stderr, args.join(' ')).toMatch(message);
    expect(code, args.join(' ')).toBe(2);
  }
});
