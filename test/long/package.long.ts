import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository, run } from '../process/run-cli.ts';

const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const tsc = join(repository, 'node_modules/.bin/tsc');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

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
  const open: readonly ReadInstance[] = read.instances.filter(({ registration }) => registration.open === true);
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

describe('the package', () => {
  test('has types that compile under strict and without skipLibCheck, with only its dependencies installed', async () => {
    const installed = join(folder, 'node_modules', manifest.name);
    mkdirSync(installed, { recursive: true });
    cpSync(join(repository, 'package.json'), join(installed, 'package.json'));
    const built = await run(tsc, ['-p', 'tsconfig.types.json', '--outDir', join(installed, 'dist')]);
    expect(built.code, built.stdout).toBe(0);
    for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(repository, 'node_modules', name), link);
    }

    const compilerOptions = { strict: true, noEmit: true, target: 'es2023', module: 'nodenext', types: ['node'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'consumer.ts'), consumer);
    const { code, stdout } = await run(tsc, ['-p', folder]);
    expect([code, stdout]).toEqual([0, '']);

    // Checks that the compiler reports a mistake.
    writeFileSync(join(folder, 'consumer.ts'), consumer.replace('count: number', 'count: string'));
    expect((await run(tsc, ['-p', folder])).stdout).toContain("'number' is not assignable to type 'string'");
  });

  test('passes publint', async () => {
    const { code, stdout } = await run(process.execPath, ['node_modules/publint/src/cli.js', '--strict']);
    expect(code, stdout).toBe(0);
  });

  test('contains the README of the reference server, every schema of an input file, and what init writes', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
    const [{ files }] = JSON.parse(stdout);
    const paths = files.map(({ path }: { path: string }) => path);
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
    expect(paths.filter((path: string) => /^(?:src|test|data)\/.*(?:\.ts|\.sqlite)$/.test(path))).toEqual([]);
    for (const path of manifest.files.filter((name: string) => name !== 'dist'))
      expect(existsSync(join(repository, path)), path).toBe(true);
  });
});
