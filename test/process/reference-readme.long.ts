import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, createReferenceServer, FleetFile, ServerOptionsFile } from '../../src/reference/index.ts';
import { repository, run } from './run-cli.ts';
import { startReference } from './start-cli.ts';

const readme = readFileSync(join(repository, 'src/reference/README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);
const commands = blocks('sh').flatMap((code) => code.match(/^loopscout reference .*$/gm) ?? []);
const requests = blocks('sh').filter((code) => !code.includes('loopscout reference'));

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  for (const text of blocks('json')) {
    const name = 'hosts' in JSON.parse(text) ? 'fleet.json' : 'options.json';
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the README of the reference server', () => {
  // The programs import `loopscout`; inside this package, that name resolves to the build in `dist`.
  test.for(blocks('ts').map((code, index) => [index + 1, code] as const))(
    'has a program that runs verbatim and exits by itself: number %i',
    async ([_index, code]) => {
      const ended = await run(process.execPath, ['--input-type=module-typescript', '--eval', code]);
      expect([ended.code, ended.stderr]).toEqual([0, '']);
    },
  );

  test.for(commands)('has a command that starts a server: %s', async (command) => {
    const args = command
      .replace(/--(port|control) \d+/, '--$1 0')
      .split(' ')
      .slice(2)
      .map((word) => (/\.(?:json|sqlite)$/.test(word) ? join(folder, word) : word));
    const { text, stop } = await startReference(args);
    expect(text).toMatch(/127\.0\.0\.1:\d+/);
    expect((await stop()).code).toBe(0);
  });

  test('has example files that the schemas accept', async () => {
    const files = blocks('json').map((text) => JSON.parse(text));
    const fleets = files.filter((file) => 'hosts' in file);
    expect(fleets.length).toBeGreaterThan(0);
    for (const file of fleets) {
      await using fleet = await createFleet({ file: FleetFile.parse(file) });
      expect(fleet.hosts.filter(({ expect: predicted }) => predicted === null)).toHaveLength(1);
    }
    const options = files.filter((file) => 'config' in file && 'faults' in file);
    expect(options.length).toBeGreaterThan(0);
    for (const file of options) await (await createReferenceServer(ServerOptionsFile.parse(file))).close();
  });

  test('has requests that work in a shell, one after the other', async () => {
    await using server = await createReferenceServer();
    expect(requests.length).toBeGreaterThan(0);
    for (const code of requests) {
      const script = code.replaceAll(/http:\/\/127\.0\.0\.1:8089/g, server.url);
      const ended = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
      expect([ended.code, ended.stderr], script).toEqual([0, '']);
    }
  });
});
