import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { createFleetHome } from './fleet-home.ts';
import { type Ended, repository, runCli } from './run-cli.ts';

/** Starts a command that runs until it is interrupted; gives its first line once it is there. */
async function started(args: readonly string[]): Promise<{ line: string; stop: () => Promise<Ended> }> {
  const first = Promise.withResolvers<{ line: string; child: ChildProcess }>();
  const ended = runCli(args, {
    onStart: (child) => {
      let text = '';
      child.stdout?.on('data', (chunk) => {
        text += chunk;
        if (text.includes('\n')) first.resolve({ line: text.slice(0, text.indexOf('\n')), child });
      });
    },
  });
  ended.then(({ stderr }) => first.reject(new Error(`it ended before it said anything: ${stderr}`)), first.reject);
  const { line, child } = await first.promise;
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { line, stop };
}

test('reference serves the interface at the URL that it prints, in either profile, until SIGTERM', async () => {
  for (const [profile, gifSwitch] of [
    ['spec', 'hasGifProvider'],
    ['live', 'hasKlipy'],
  ]) {
    const { line, stop } = await started(['reference', '--port', '0', '--json', '--profile', profile ?? '']);
    const { url } = JSON.parse(line);
    const config = (await (await fetch(`${url}/api/v1/config`)).json()) as { app: { software: string } };
    expect(config.app.software).toBe('loops');
    expect(config).toHaveProperty(gifSwitch ?? '');
    expect((await stop()).code).toBe(0);
  }
});

test('reference prints requests that work when they are pasted', async () => {
  const { stop, line } = await started(['reference', '--port', '0']);
  expect(line).toMatch(/^Reference server at http:\/\/127\.0\.0\.1:\d+ /);
  const { code, stdout } = await stop();
  expect(code).toBe(0);
  expect(stdout.match(/^ {2}curl http:\/\/127\.0\.0\.1:\d+\/\S+$/gm)).toHaveLength(3);
});

test('reference --fleet gives the settings that a crawl of it needs, and what must be found', async () => {
  const { line, stop } = await started(['reference', '--fleet', '200', '--json']);
  const { settings, hosts } = JSON.parse(line);
  await using none = await createFleet({ hosts: 1, mix: { mastodon: 1 } });
  using home = createFleetHome(none);
  writeFileSync(home.settingsFile, JSON.stringify(settings));
  const loops = hosts.filter(({ expect: { verdict } }: { expect: { verdict: string } }) => verdict === 'loops');
  const named = loops.slice(0, 3).map(({ domain }: { domain: string }) => domain);
  const { code, stdout, stderr } = await runCli(['crawl', ...named, '--json', '--config', home.settingsFile]);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).byVerdict).toEqual([{ name: 'loops', count: 3 }]);
  expect((await stop()).code).toBe(0);
});

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
