import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { createFleetHome, type FleetHome } from '../process/fleet-home.ts';
import { installPackage, installTools } from '../process/install-package.ts';
import { repository, run } from '../process/run-cli.ts';

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const tsc = join(repository, 'node_modules/.bin/tsc');
/** The package with nothing but the binary. */
const oldestNode = `node-${process.platform}-${process.arch}`;

let folder: string;
/** An empty project in which the package is installed. */
let project: string;
/** The folder of the package in it. */
let installed: string;
let fleet: Fleet;
let home: FleetHome;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  project = join(folder, 'project');
  [installed] = await Promise.all([
    installPackage(project),
    installTools(join(folder, 'tools'), { [oldestNode]: '22.20.0' }),
  ]);
  fleet = await createFleet({ hosts: 3, mix: { loops: 1 } });
  home = createFleetHome(fleet);
}, 240_000);
afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
  rmSync(folder, { recursive: true });
}, 60_000);

const identifyOptions = () => ({
  domains: { allowSuffixes: ['example'] },
  network: { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
});

/** The JavaScript examples of a document. */
function examplesIn(document: string): string[] {
  const text = readFileSync(join(repository, document), 'utf8');
  return [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
}

const consumer = `
import { Manifest, identify, SCHEMA_VERSION } from 'loopscout';
import { readInstances, ReadError } from 'loopscout/read';
import type { DomainLine, InstancesFile, InstancesState, ReadFault, ReadInstance, StatsFile, Visit } from 'loopscout';
import { createFleet, createReferenceServer, readServerOptions, type FleetFile } from 'loopscout/reference';

export async function use(file: FleetFile): Promise<string | undefined> {
  const visit = await identify('loops.example');
  await using fleet = await createFleet({ file });
  await using server = await createReferenceServer({ ...readServerOptions('options.json'), delayMs: [1, 2] });
  server.app.addHook('onRequest', async () => {});
  const account = server.state.data.accounts.signIn('ada', 'x');
  const count: number = server.state.data.apps.count() + fleet.hosts.length;
  return account?.bio ?? visit.facts?.name ?? String(count);
}

export async function show(previous: InstancesState | undefined): Promise<InstancesState> {
  const read = await readInstances(new URL('https://directory.example/instances.json'), { previous, timeoutMs: 5_000 });
  const open: readonly ReadInstance[] = read.instances.filter(({ joinable }) => joinable === true);
  const users: number | null = open[0]?.usage.users ?? null;
  return read.changed && users !== null ? read : (previous ?? read);
}

export function summarize(error: unknown, line: DomainLine, stats: StatsFile, file: InstancesFile): string {
  const fault: ReadFault | null = error instanceof ReadError ? error.fault : null;
  const version: 1 = SCHEMA_VERSION;
  const { files }: Manifest = Manifest.parse({});
  return [fault, version, line.aliasOf, stats.generatedAt, file.counts.up, files[0]?.sha256].join();
}
export type Outcome = Pick<Visit, 'verdict' | 'reason'>;
`;

/** The documents with examples for this package; those of the reference server have tests of their own. */
const DOCUMENTS = ['README.md', 'docs/library.md', 'docs/website.md'];

describe('the package', () => {
  test('has types and examples that compile under strict, without skipLibCheck, with only its dependencies and the types of Node.js installed', async () => {
    cpSync(join(repository, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'), {
      recursive: true,
    });
    cpSync(join(repository, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'), {
      recursive: true,
    });
    const examples = DOCUMENTS.flatMap(examplesIn).filter((code) => code.includes("from 'loopscout"));
    expect(examples.length).toBeGreaterThanOrEqual(2);
    const files = ['consumer.ts', 'mistaken.ts', ...examples.map((_code, index) => `example-${index}.ts`)];
    // The examples are JavaScript, so a parameter without a type gets one.
    const typed = (code: string) => code.replace('(text) =>', '(text: string) =>');
    for (const [index, code] of examples.entries()) writeFileSync(join(project, `example-${index}.ts`), typed(code));
    const compilerOptions = { strict: true, noEmit: true, target: 'es2023', module: 'nodenext', types: ['node'] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    writeFileSync(join(project, 'consumer.ts'), consumer);
    // The compiler reports this mistake and no other.
    writeFileSync(join(project, 'mistaken.ts'), consumer.replace('count: number', 'count: string'));
    const { stdout } = await run(tsc, [], { cwd: project });
    expect(stdout).toMatch(/^mistaken\.ts.*'number' is not assignable to type 'string'.*\n$/);
  });

  test('passes publint', async () => {
    const { code, stdout, stderr } = await run(process.execPath, [
      ...['node_modules/publint/src/cli.js', installed, '--strict', '--pack', 'false'],
    ]);
    expect(code, stdout + stderr).toBe(0);
  });

  describe.each([
    ['the oldest supported Node.js', () => join(folder, 'tools/node_modules', oldestNode, 'bin/node')],
    ['the Node.js of development', () => process.execPath],
  ])('under %s', (_name, node) => {
    test('checks a server, crawls, and runs the examples, without a warning', async () => {
      const cli = join(installed, 'dist/cli.js');
      const runStrictly = (args: string[]) => run(node(), ['--throw-deprecation', ...args], { cwd: project });
      const domain = fleet.hosts[0]?.domain ?? '';
      const checked = await runStrictly([cli, 'check', domain, '--config', home.settingsFile]);
      expect(checked.stdout, checked.stderr).toContain(`${domain} runs Loops`);
      const crawled = await runStrictly([
        cli,
        'crawl',
        '--config',
        home.settingsFile,
        '--set',
        'queue.visitsPerSecond=0',
      ]);
      expect([crawled.code, crawled.stderr]).toEqual([0, expect.not.stringMatching(/warning/i)]);

      const local = (code: string) =>
        code
          .replace(/'data\/export\/(instances[.\w]+)'/, (_all, name: string) =>
            JSON.stringify(join(home.exportDir, name)),
          )
          .replace("'loops.video'", `${JSON.stringify(domain)}, ${JSON.stringify(identifyOptions())}`);
      for (const code of [...examplesIn('README.md'), ...examplesIn('docs/library.md')]) {
        const { code: exitCode, stdout, stderr } = await runStrictly(['--input-type=module', '--eval', local(code)]);
        expect([exitCode, stderr]).toEqual([0, '']);
        expect(stdout).toMatch(/^(?:<a href="https:|loops config-software )/);
      }
    });
  });

  test('neither loopscout/read nor identify nor check loads SQLite', async () => {
    const observe = `
        import { createRequire } from 'node:module';
        const [entryPoint, operation, domain, options] = process.argv.slice(1);
        const library = await import(entryPoint);
        if (operation !== undefined) await library[operation](domain, JSON.parse(options));
        const sqlite = Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('better-sqlite3'));
        console.log(sqlite);`;
    const loadsSqlite = async (...args: string[]) => {
      const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', observe, ...args], {
        cwd: project,
      });
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };
    expect(await loadsSqlite('loopscout/read')).toBe(false);
    const visited = [fleet.hosts[0]?.domain ?? '', JSON.stringify(identifyOptions())];
    expect(await loadsSqlite('loopscout', 'identify', ...visited)).toBe(false);
    expect(await loadsSqlite('loopscout', 'check', ...visited)).toBe(false);
    // Checks that the observation sees SQLite.
    expect(await loadsSqlite('loopscout/reference')).toBe(true);
  });

  test('contains the README of the reference server, every schema of an input file, and what init writes', async () => {
    const paths = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        'crawler.config.json',
        'data/deploy/loopscout.service',
        'data/seeds.txt',
        'docs/reference-kinds.md',
        'docs/reference-specification.md',
        'src/reference/README.md',
        'data/check-report.schema.json',
        'data/check/README.md',
        'data/check/workflow.yml',
        'data/conform-results.schema.json',
        'data/conform/action.yml',
        'data/crawler.config.schema.json',
        'data/reference-fleet.schema.json',
        'data/reference-options.schema.json',
      ]),
    );
    expect(paths.filter((path) => /^(?:src|test|data)\/.*(?:\.ts|\.sqlite)$/.test(path))).toEqual([]);
    for (const path of manifest.files.filter((name: string) => name !== 'dist'))
      expect(existsSync(join(repository, path)), path).toBe(true);
  });
});
