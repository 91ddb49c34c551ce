import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { repository, run } from './run-cli.ts';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);

let fleet: Fleet;
let home: FleetHome;

beforeAll(async () => {
  fleet = await createFleet({ hosts: 6, mix: { loops: 1 } });
  home = createFleetHome(fleet, { export: { dir: 'data/export' } });
}, 60_000);

afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
});

describe('the README', () => {
  test('has commands that work verbatim', async () => {
    const commands = blocks('sh').flatMap((code) => code.match(/^npm run -s loopscout -- [^#\n]+/gm) ?? []);
    expect(commands.length).toBeGreaterThan(2);
    for (const command of commands) {
      const local = command.replace('loops.example', fleet.hosts[0]?.domain ?? '');
      const { code, stdout, stderr } = await run('bash', ['-c', `${local} --config ${home.settingsFile}`]);
      expect(code, `${command}: ${stderr}`).toBe(0);
      expect(stdout).not.toBe('');
    }
  });

  test('shows the shipped settings with the first source', () => {
    const { $schema: _, ...shipped } = JSON.parse(readFileSync(join(repository, 'crawler.config.json'), 'utf8'));
    const [file] = shipped.sources;
    expect(blocks('json').map((code) => JSON.parse(code))).toContainEqual({ ...shipped, sources: [file] });
  });

  test('has a directory example that reads the export', async () => {
    const [example = ''] = blocks('js');
    const file = join(home.folder, 'example.mjs');
    writeFileSync(file, example);
    const { code, stdout, stderr } = await run(process.execPath, [file], { cwd: home.folder });
    expect(code, stderr).toBe(0);
    const { instances } = JSON.parse(readFileSync(join(home.exportDir, '../data/export/instances.json'), 'utf8'));
    const open = instances.filter(({ registration }: { registration: { open: boolean } }) => registration.open);
    expect(stdout.trimEnd().split('\n').filter(Boolean)).toHaveLength(open.length);
  });

  test('has an example that identifies a server with the published package', async () => {
    const [, example = ''] = blocks('js');
    const options = {
      domains: { allowSuffixes: ['example'] },
      network: { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
    };
    const local = example.replace(
      "'loops.video'",
      `${JSON.stringify(fleet.hosts[0]?.domain)}, ${JSON.stringify(options)}`,
    );
    // Inside the package its own name resolves to the published build, dist.
    const { code, stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', local]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^loops config-software \S+ \d+\n$/);
  });

  test('lists every command', async () => {
    const { stdout } = await run(process.execPath, ['src/cli.ts', '--help']);
    const offered = [...stdout.matchAll(/^ {2}([a-z]+) \[/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help');
    const listed = [...readme.matchAll(/^\| `([a-z]+)[^`]*` \|/gm)].map(([, name]) => name);
    expect(offered.length).toBeGreaterThan(3);
    for (const name of offered) expect(listed).toContain(name);
  });
});

test('the built command line prints its version', async () => {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const { code, stdout } = await run(process.execPath, ['dist/cli.js', '--version']);
  expect([code, stdout]).toEqual([0, `${version}\n`]);
});
