import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, createReferenceServer, type Fleet } from '../../src/reference/index.ts';
import { VERSION } from '../../src/version.ts';
import { runCommand } from '../commands/run-command.ts';
import { freePort } from '../serve-http.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { repository, run } from './run-cli.ts';

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
  expect((await runCommand(['crawl', '--config', home.settingsFile])).code).toBe(0);
}, 60_000);

afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
});

/** A line of a code fence, and whether it is the first of its fence. */
interface ReadmeCommand {
  command: string;
  isFirst: boolean;
}

const readmeCommands: ReadmeCommand[] = blocks('README.md', 'sh').flatMap((code) =>
  code
    .split('\n')
    .filter(Boolean)
    .map((command, index) => ({ command, isFirst: index === 0 })),
);

/** `.ci/run` runs the first, the test of the container builds the image, and these tests begin with the last. */
const RUN_ELSEWHERE = /^(?:npm ci && npm test$|docker build |npm run build$)/;

/** Commands that serve until Ctrl-C. */
const SERVES = /(?:run demo|-- (?:reference|run))$/;

/**
 * Runs the commands as a new user types them, each fence in the checkout that the first one clones. A command that serves is ended by the
 * SIGINT of Ctrl-C after the next command, which may need it.
 */
describe('README.md, in a clean clone of HEAD', () => {
  /** On disk: an installation is too large for a folder in memory. */
  let folder: string;
  let cwd: string;
  let port: number;
  const serving: Shell[] = [];

  beforeAll(async () => {
    folder = mkdtempSync('/var/tmp/loopscout-readme-');
    mkdirSync(join(folder, 'tmp'));
    cwd = folder;
    port = await freePort();
  });

  afterAll(async () => {
    for (const shell of serving) await endShell(shell);
    rmSync(folder, { recursive: true, force: true });
  }, 600_000);

  test.for(readmeCommands)('$command', async ({ command, isFirst }) => {
    expect((await run('bash', ['-n', '-c', command])).stderr).toBe('');
    if (RUN_ELSEWHERE.test(command)) return;
    const checkout = join(folder, 'loopscout');
    if (isFirst && existsSync(checkout)) cwd = checkout;
    const earlier = serving.splice(0);
    const shell = startShell(localCommand(command), cwd, environment());
    try {
      if (SERVES.test(command)) {
        serving.push(shell);
        await isServing(shell);
      } else expect(await shell.exit, shell.output()).toBe(0);
    } finally {
      for (const each of earlier) await endShell(each);
    }
    if (command.includes('check DOMAIN')) expect(shell.output()).toContain(`${fleet.hosts[0]?.domain} runs Loops`);
    const next = /(?<=&& cd |^cd )\S+$/.exec(command)?.[0];
    if (next !== undefined) cwd = join(cwd, next);
  });

  test('a command that serves leaves no folder', async () => {
    for (const shell of serving.splice(0)) await endShell(shell);
    expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('loopscout-'))).toEqual([]);
  });

  test('`npm ci && npm test` is what .ci/run begins with', () => {
    const lines = read('.ci/run').split('\n');
    expect(lines.filter((line) => ['npm ci', 'npm test'].includes(line))).toEqual(['npm ci', 'npm test']);
  });

  /** The command with this repository, whose packages `.ci/run` installs and whose build exists, a small demo, a host of the fleet, and a free port. */
  const localCommand = (command: string) =>
    command
      .replace('URL', `'${repository}'`)
      .replace('npm run demo', 'npm run demo -- --hosts 40')
      .replace('npm ci', `ln -s '${join(repository, 'node_modules')}'`)
      .replace('npm pack', `cp -r '${join(repository, 'dist')}' . && npm pack --ignore-scripts`)
      .replace('DOMAIN', fleet.hosts[0]?.domain ?? '')
      .replace('8089', String(port))
      .replace(/-- reference$/, `-- reference --port ${port}`);

  /** No part of the npm script or of the test runner that runs this test; names resolve to the fleet only. */
  const environment = () => ({
    ...Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(?:npm_(?:lifecycle|package)_|INIT_CWD|NODE_|VITEST)/.test(name),
      ),
    ),
    PATH: (process.env.PATH ?? '')
      .split(':')
      .filter((path) => !path.includes('node_modules'))
      .join(':'),
    TMPDIR: join(folder, 'tmp'),
    npm_config_prefer_offline: 'true',
    npm_config_prefix: join(folder, 'global'),
    LOOPSCOUT_DOMAINS_ALLOW_SUFFIXES: 'example',
    LOOPSCOUT_NETWORK_ALLOW: '127.0.0.1/32',
    LOOPSCOUT_NETWORK_CA_FILE: fleet.caFile,
    LOOPSCOUT_NETWORK_DNS_SERVERS: fleet.dnsServer,
    LOOPSCOUT_SERVE_PORT: '0',
  });
});

async function isServing(shell: Shell): Promise<void> {
  const url = () => /http:\/\/127\.0\.0\.1:\d+/.exec(shell.output())?.[0] ?? '';
  let hasExited = false;
  shell.exit.then(() => {
    hasExited = true;
  });
  await expect.poll(() => url() !== '' || hasExited, { timeout: 600_000 }).toBe(true);
  expect(hasExited, shell.output()).toBe(false);
  expect((await fetch(url())).status).toBeLessThan(500);
}

interface Shell {
  pid: number;
  /** Both streams, so far. */
  output(): string;
  exit: Promise<number | null>;
}

function startShell(command: string, cwd: string, env: NodeJS.ProcessEnv): Shell {
  // A process group of its own, which Ctrl-C reaches as a whole.
  const child = spawn('bash', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  // As a shell reports it: bash replaces itself by a command that stands alone.
  const exit = once(child, 'close').then(([code, signal]) => (signal === 'SIGINT' ? 130 : (code as number | null)));
  return { pid: child.pid ?? 0, output: () => output, exit };
}

/** Ends a command as Ctrl-C does: the command exits with 0, npm and the shell with 130. */
async function endShell(shell: Shell): Promise<void> {
  try {
    process.kill(-shell.pid, 'SIGINT');
  } catch {
    // It has ended already.
  }
  expect([0, 130], shell.output()).toContain(await shell.exit);
}

describe('the documents', () => {
  test.each(['docs/check.md', 'docs/commands.md', 'docs/operations.md'])(
    '%s has commands that work verbatim',
    async (page) => {
      const commands = commandsIn(page).filter((command) => command.startsWith('npm run -s loopscout -- '));
      expect(commands.length).toBeGreaterThan(0);
      await using server = await createReferenceServer();
      for (const command of commands) {
        const local = command
          .replace('loops.example', fleet.hosts[0]?.domain ?? '')
          .replace('http://127.0.0.1:8089', server.url)
          .replace('npm run -s loopscout -- ', '');
        const args = [...local.split(' '), '--config', home.settingsFile];
        const { code, stdout, stderr } = await runCommand(args, home.folder);
        expect(code, `${command}: ${stderr}`).toBe(0);
        if (!command.includes('--quiet')) expect(stdout).not.toBe('');
      }
    },
  );

  test('docs/settings.md shows the shipped settings with only the first source', () => {
    const { $schema: _, ...shipped } = JSON.parse(read('crawler.config.json'));
    const [firstSource] = shipped.sources;
    expect(blocks('docs/settings.md', 'json').map((code) => JSON.parse(code))).toContainEqual({
      ...shipped,
      sources: [firstSource],
    });
  });

  test.each(['README.md', 'docs/data.md'])(
    '%s has an example that lists the joinable instances of the export',
    async (page) => {
      const [example = ''] = blocks(page, 'js');
      const file = join(home.folder, 'data/export/instances.min.json');
      const local = example.replace("'data/export/instances.min.json'", JSON.stringify(file));
      const { code, stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', local]);
      expect(code, stderr).toBe(0);
      const { instances } = JSON.parse(readFileSync(file, 'utf8'));
      const joinable = instances.filter((one: { joinable: boolean }) => one.joinable);
      expect(stdout.trimEnd().split('\n').filter(Boolean)).toHaveLength(joinable.length);
    },
  );

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
