import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { execForm, type Instruction, readContainerfile, variablesOf } from '../process/containerfile.ts';
import { createFleetHome, type FleetHome } from '../process/fleet-home.ts';
import { repository, run } from '../process/run-cli.ts';
import { freePort } from '../serve-http.ts';

const NONROOT = 65_532;
const [build = [], final = []] = readContainerfile();

/** Folder of the build stage, and the root of the image. */
let stage: string;
let root: string;
let fleet: Fleet;
let home: FleetHome;
let port: number;

beforeAll(async () => {
  // Never skipped: an image that no test has run must not be published.
  if (process.getuid?.() !== 0) throw new Error('only root may change the root of a process: run this test as root');
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  chmodSync(folder, 0o755);
  [stage, root] = [join(folder, 'stage'), join(folder, 'root')];
  await runBuildStage(build);
  createBaseImage();
  copyIntoImage(final);
  fleet = await createFleet({ hosts: 3, mix: { loops: 1 } });
  home = createFleetHome(fleet);
  // A deployment mounts its own settings over those of the image.
  const settings = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  settings.network.caFile = '/app/ca.pem';
  copyFileSync(fleet.caFile, join(root, 'app/ca.pem'));
  copyFileSync(join(home.folder, 'seeds.txt'), join(root, 'app/seeds.txt'));
  writeFileSync(join(root, 'app/crawler.config.json'), JSON.stringify(settings));
  port = await freePort();
}, 240_000);

afterAll(async () => {
  home?.[Symbol.dispose]();
  await fleet?.close();
  if (root !== undefined) rmSync(dirname(root), { recursive: true });
}, 60_000);

/** Runs the build instructions in the folder `stage`, because a test cannot provide everything that the build image contains. */
async function runBuildStage(instructions: readonly Instruction[]): Promise<void> {
  /** Moves the absolute paths of the build into the stage folder. */
  const inStage = (text: string) => text.replaceAll(/(?<![\w.])\/(?=build|packed|app|volumes)/g, `${stage}/`);
  let cwd = stage;
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') {
      cwd = inStage(text);
      mkdirSync(cwd, { recursive: true });
    } else if (name === 'COPY' && text === '. .') copyContext(cwd);
    // The checkout of this test was installed with the same command, and its build is what `npm pack` would build.
    else if (text === 'npm ci --ignore-scripts') {
      symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'));
      cpSync(join(repository, 'dist'), join(cwd, 'dist'), { recursive: true });
      mkdirSync(join(stage, 'packed'));
    } else if (name === 'RUN') {
      const env = { npm_config_prefer_offline: 'true', npm_config_ignore_scripts: 'true' };
      const { code, stdout, stderr } = await run('sh', ['-ec', inStage(text)], { cwd, env });
      expect(code, `${text}: ${stdout}${stderr}`).toBe(0);
    } else throw new Error(`unknown instruction: ${name} ${text}`);
  }
}

/** Copies the files that .dockerignore does not exclude. */
function copyContext(target: string): void {
  const ignored = readFileSync(join(repository, '.dockerignore'), 'utf8').trim().split('\n');
  for (const name of readdirSync(repository).filter((each) => !ignored.includes(each))) {
    cpSync(join(repository, name), join(target, name), { recursive: true });
  }
}

/** Creates the content of the base image: Node.js and its libraries, no shell. */
function createBaseImage(): void {
  for (const name of ['tmp', 'proc']) mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o777);
  // chroot starts every process in the root folder, so this module changes to the working directory of the image.
  const changeFolder = `import { isMainThread } from 'node:worker_threads';\nif (isMainThread) process.chdir('${textOf('WORKDIR')}');\n`;
  writeFileSync(join(root, 'change-folder.mjs'), changeFolder);
  const node = realpathSync(process.execPath);
  const sqlite = readdirSync(join(stage, 'app/node_modules/better-sqlite3/prebuilds'));
  expect(sqlite.every((name) => name.startsWith('linux-'))).toBe(true);
  const libraries = execFileSync('ldd', [node], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const [source, target] of [
    [node, '/nodejs/bin/node'] as const,
    ...libraries.map((path) => [path, path] as const),
  ]) {
    mkdirSync(join(root, dirname(target)), { recursive: true });
    copyFileSync(realpathSync(source), join(root, target));
  }
}

/** The text of the first instruction of this name in the final stage. */
function textOf(instruction: string): string {
  return final.find(({ name }) => name === instruction)?.text ?? '';
}

/** Carries out the COPY instructions of the final stage: from the build stage into the root of the image. */
function copyIntoImage(instructions: readonly Instruction[]): void {
  for (const { text } of instructions.filter(({ name }) => name === 'COPY')) {
    const [, owner, source = '', target = ''] = /^--from=build (?:--chown=(\d+:\d+) )?(\S+) (\S+)$/.exec(text) ?? [];
    cpSync(join(stage, source), join(root, target), { recursive: true });
    if (owner === undefined) continue;
    const [user = 0, group = 0] = owner.split(':').map(Number);
    for (const name of readdirSync(join(stage, source))) chownSync(join(root, target, name), user, group);
  }
}

/** Starts a command in the container, as the user of the image. */
function start(command: readonly string[]) {
  const user = textOf('USER');
  const variables = variablesOf(final);
  const script = `mount --bind /proc "$0/proc" && exec chroot --userspec=${user} "$0" "$@"`;
  // The mount disappears when the process ends.
  return spawn('unshare', ['--mount', 'sh', '-c', script, root, ...command], {
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      ...variables,
      NODE_OPTIONS: `${variables.NODE_OPTIONS} --import=/change-folder.mjs`,
      LOOPSCOUT_CONTACT: 'https://directory.example/bot',
      LOOPSCOUT_SERVE_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function runToEnd(command: readonly string[]): Promise<{ code: number; output: string }> {
  const child = start(command);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

describe('the container', () => {
  test('runs in a root with only Node.js: it becomes healthy, publishes, writes only to its volumes and /tmp, and stops on SIGTERM', async () => {
    const health = execForm(final, 'HEALTHCHECK');
    const entrypoint = execForm(final, 'ENTRYPOINT');
    expect((await runToEnd(health)).code).toBe(1);

    const startedAt = Date.now();
    const service = start([...entrypoint, ...execForm(final, 'CMD')]);
    const closed = once(service, 'close');
    let output = '';
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    try {
      await expect
        .poll(() => runToEnd(health), { timeout: 60_000, interval: 500 })
        .toEqual({ code: 0, output: expect.stringMatching(/^ok|^degraded/) });
      await expect.poll(() => existsSync(join(root, 'export/manifest.json')), { timeout: 60_000 }).toBe(true);
      const explain = [...entrypoint, 'explain', fleet.hosts[0]?.domain ?? ''];
      await expect
        .poll(async () => (await runToEnd(explain)).output, { timeout: 60_000, interval: 1_000 })
        .toContain('is listed');
    } finally {
      service.kill('SIGTERM');
      expect(await closed, output).toEqual([0, null]);
    }
    const written = readdirSync(root, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => statSync(path).uid === NONROOT && statSync(path).mtimeMs >= startedAt)
      .map((path) => path.slice(root.length).split('/')[1]);
    expect([...new Set(written)].sort()).toEqual(expect.arrayContaining(['data', 'export']));
    expect(written.filter((name) => !['data', 'export', 'tmp'].includes(name ?? ''))).toEqual([]);
    for (const volume of execForm(final, 'VOLUME')) expect(existsSync(join(root, volume))).toBe(true);
  }, 240_000);
});
