import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { VERSION } from '../../src/version.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { repository, run, runCli } from './run-cli.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const blocks = (path: string, language: string) =>
  [...read(path).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);
/** The command lines of a document, without comments. */
const commandsIn = (path: string) =>
  blocks(path, 'sh').flatMap((code) =>
    code
      .split('\n')
      .map((line) => line.replace(/ +# .*/, '').trim())
      .filter(Boolean),
  );

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

/** Commands of the README that another test or a job of CI runs. */
const RUN_ELSEWHERE = [
  `npx --yes loopscout@${VERSION} demo`,
  'npm install --global loopscout',
  'loopscout init my-directory --contact https://your.site/bot && cd my-directory',
  'loopscout run',
  'docker build --file data/deploy/Containerfile --tag loopscout .',
  'git clone URL && cd loopscout',
  'npm ci && npm run demo',
  'npm ci && npm test',
];

describe('the documents', () => {
  test('README.md has only commands that a test runs', () => {
    const check = `npx --yes loopscout@${VERSION} check loops.example`;
    const remaining = [...new Set(commandsIn('README.md'))].filter((command) => !RUN_ELSEWHERE.includes(command));
    expect(remaining).toEqual([check]);
  });

  test('the check of the README works in the published build', async () => {
    const domain = fleet.hosts[0]?.domain ?? '';
    const { stdout, stderr } = await run(process.execPath, [
      ...['dist/cli.js', 'check', domain, '--config', home.settingsFile],
    ]);
    expect(stdout, stderr).toContain(`${domain} runs Loops`);
  });

  test.each(['docs/commands.md', 'docs/operations.md'])('%s has commands that work verbatim', async (page) => {
    const commands = commandsIn(page).filter((command) => command.startsWith('npm run -s loopscout -- '));
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const local = command
        .replace('loops.example', fleet.hosts[0]?.domain ?? '')
        .replace('loopscout-backup.sqlite', join(home.folder, 'loopscout-backup.sqlite'));
      const { code, stdout, stderr } = await run('bash', ['-c', `${local} --config ${home.settingsFile}`]);
      expect(code, `${command}: ${stderr}`).toBe(0);
      expect(stdout).not.toBe('');
    }
  });

  test('docs/settings.md shows the shipped settings with only the first source', () => {
    const { $schema: _, ...shipped } = JSON.parse(read('crawler.config.json'));
    const [firstSource] = shipped.sources;
    expect(blocks('docs/settings.md', 'json').map((code) => JSON.parse(code))).toContainEqual({
      ...shipped,
      sources: [firstSource],
    });
  });

  test.each(['README.md', 'docs/data.md'])(
    '%s has an example that lists the open instances of the export',
    async (page) => {
      // Inside the package, `loopscout` resolves to the published build in dist.
      const [example = ''] = blocks(page, 'js');
      expect((await runCli(['crawl', '--config', home.settingsFile])).code).toBe(0);
      const file = join(home.exportDir, '../data/export/instances.json');
      const local = example.replace("'data/export/instances.json'", JSON.stringify(file));
      const { code, stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', local]);
      expect(code, stderr).toBe(0);
      const { instances } = JSON.parse(readFileSync(file, 'utf8'));
      const open = instances.filter(({ registration }: { registration: { open: boolean } }) => registration.open);
      expect(stdout.trimEnd().split('\n').filter(Boolean)).toHaveLength(open.length);
    },
  );

  test('docs/library.md has an example that identifies a server with the published build', async () => {
    const [example = ''] = blocks('docs/library.md', 'js');
    const options = {
      domains: { allowSuffixes: ['example'] },
      network: { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
    };
    const local = example.replace(
      "'loops.video'",
      `${JSON.stringify(fleet.hosts[0]?.domain)}, ${JSON.stringify(options)}`,
    );
    const { code, stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', local]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^loops config-software \S+ \d+\n$/);
  });

  test('docs/commands.md lists every command', async () => {
    const { stdout } = await run(process.execPath, ['src/cli.ts', '--help']);
    const offered = [...stdout.matchAll(/^ {2}([a-z]+) \[/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help');
    const listed = [...read('docs/commands.md').matchAll(/^\| `([a-z]+)[^`]*` \|/gm)].map(([, name]) => name);
    expect(offered.length).toBeGreaterThan(3);
    for (const name of offered) expect(listed).toContain(name);
  });
});

test('the built command line prints its version', async () => {
  const { code, stdout } = await run(process.execPath, ['dist/cli.js', '--version']);
  expect([code, stdout]).toEqual([0, `${VERSION}\n`]);
});
