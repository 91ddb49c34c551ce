import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { runCommand } from './run-command.ts';

const settings = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCommand(args, '.');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

test('global options are accepted before and after the command name, and --set of both places is combined; the last value of a key wins', async () => {
  const both = await settings('--set', 'queue.concurrency=7', 'settings', '--set', 'robots=strict', '--json');
  expect(both).toMatchObject({ queue: { concurrency: 7 }, robots: 'strict' });
  expect(await settings('--set', 'robots=off', 'settings', '--set', 'robots=strict')).toMatchObject({
    robots: 'strict',
  });
  const missing = await runCommand(['--config', 'none.json', 'settings'], '.');
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('none.json: the file is missing')]);
});

test('--quiet and --verbose set the level of the log, unless --set does', async () => {
  const levelOf = async (...args: string[]) => (await settings('settings', ...args)).log.level;
  expect(await levelOf('--quiet')).toBe('error');
  expect(await levelOf('--verbose')).toBe('debug');
  expect(await levelOf('--verbose', '--set', 'log.level=trace')).toBe('trace');
  const both = await runCommand(['--quiet', 'settings', '--verbose'], '.');
  expect([both.code, both.stderr]).toEqual([2, 'loopscout: --quiet and --verbose exclude each other: leave one out\n']);
});

test('crawl --quiet prints nothing, crawl --quiet --json only its report, and crawl --verbose logs each visit', async () => {
  await using fleet = await createFleet({ hosts: 3, mix: { loops: 1 } });
  using home = createFleetHome(fleet);
  const crawl = (...args: string[]) => runCommand(['crawl', ...args, '--config', home.settingsFile], home.folder);
  expect(await crawl('--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  const named = fleet.hosts.map(({ domain }) => domain);
  expect((await crawl('--verbose', ...named)).stderr.match(/"msg":"visit"/g)).toHaveLength(3);
  const json = await crawl('--quiet', '--json');
  expect([JSON.parse(json.stdout).visited, json.stderr]).toEqual([0, '']);
});
