import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exportAll } from '../../src/export/export-all.ts';
import { filesIn, manifestFaults, newFolder, readManifest } from './export-folder.ts';
import { generatedSource } from './generated-source.ts';

const DOMAINS = 4000;
const isTemporary = (name: string) => name.endsWith('.tmp');

const exportGeneration = (dir: string, generation: number) =>
  exportAll({ source: generatedSource(DOMAINS, 200, generation), dir, now: () => 0, toolVersion: '1.0.0' });

/** Throws when a file is cut short or mixed of two generations. */
async function generationsIn(dir: string) {
  const instances = JSON.parse(await readFile(join(dir, 'instances.json'), 'utf8'));
  const lines = (await readFile(join(dir, 'domains.ndjson'), 'utf8')).split('\n');
  const versions = (rows: { version: string }[]) => [...new Set(rows.map((row) => Number(row.version)))];
  expect(lines.pop()).toBe('');
  expect(lines).toHaveLength(DOMAINS);
  expect(instances.instances).toHaveLength(200);
  const found = { instances: versions(instances.instances), domains: versions(lines.map((line) => JSON.parse(line))) };
  expect(found).toMatchObject({ instances: [expect.any(Number)], domains: [expect.any(Number)] });
  return { instances: found.instances[0] ?? Number.NaN, domains: found.domains[0] ?? Number.NaN };
}

test('kill -9 at any moment of an export leaves only whole files', { timeout: 60_000 }, async () => {
  const dir = await newFolder();
  await exportGeneration(dir, 0);
  const program = join(import.meta.dirname, 'export-forever.ts');
  let leftovers = 0;
  let generation = 0;
  for (let round = 0; round < 12; round++) {
    const child = spawn(process.execPath, [program, dir, String(DOMAINS), String(generation + 1)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await sleep(round * 7 + Math.random() * 7);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const found = await generationsIn(dir);
    generation = found.instances;
    const faults = (await manifestFaults(dir)).filter((name) => !isTemporary(name));
    // Between the renames the manifest is older than what it lists; it never runs ahead.
    const sameGeneration = [[], ['instances.json', 'domains.ndjson']];
    const allowed = found.domains === generation ? sameGeneration : [['instances.json']];
    expect([generation, generation - 1]).toContain(found.domains);
    expect(allowed).toContainEqual(faults);
    expect((await readManifest(dir)).files).toHaveLength(5);
    leftovers += Object.keys(await filesIn(dir)).filter(isTemporary).length;
  }
  expect(leftovers).toBeGreaterThan(0);

  await exportGeneration(dir, generation + 1);
  expect(await manifestFaults(dir)).toEqual([]);
});

test('the next export removes temporary files of dead processes, and nothing else', async () => {
  const dir = await newFolder();
  await exportGeneration(dir, 1);
  const child = spawn(process.execPath, ['--eval', '']);
  await once(child, 'exit');
  const dead = `.domains.ndjson.${child.pid}-0123456789abcdef.tmp`;
  const living = `.domains.ndjson.${process.ppid}-0123456789abcdef.tmp`;
  const ours = `.domains.ndjson.${process.pid}-0123456789abcdef.tmp`;
  const namesake = `.domains.ndjson.${process.pid}-fedcba9876543210.tmp`;
  const foreign = [`domains.ndjson.${child.pid}-0123456789abcdef.tmp`, `.x.${child.pid}.tmp`, 'notes.tmp', '.hidden'];
  const deadSchema = join('schema', `.domains.json.${child.pid}-0123456789abcdef.tmp`);
  for (const name of [dead, deadSchema, living, ours, namesake, ...foreign]) await writeFile(join(dir, name), 'x');
  await utimes(join(dir, namesake), new Date(0), new Date(0));

  await exportGeneration(dir, 1);
  const names = Object.keys(await filesIn(dir));
  expect(names).toEqual(expect.arrayContaining([living, ours, ...foreign]));
  expect(names.filter((name) => [dead, deadSchema, namesake].includes(name))).toEqual([]);
});
