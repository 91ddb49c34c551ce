import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { hour, loopsVisit, sampleDomains } from '../store/sample-visit.ts';
import { createFilledHome } from './filled-home.ts';
import { runCommand } from './run-command.ts';

const start = Date.UTC(2026, 0, 1);
const [one, two] = [storedDomain('one.example.org'), storedDomain('two.example.org')];
const fleet = [one, two, ...sampleDomains(8)];

async function publishedHome() {
  const home = createFilledHome();
  await home.visit(fleet, start);
  expect((await home.command('export')).code).toBe(0);
  return home;
}

test('forget removes domains from the database and the files, even if they are a large share', async () => {
  const home = await publishedHome();
  const { code, stdout, stderr } = await home.command('forget', ...fleet.slice(0, 5));
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(`${one} is opted out permanently`);
  expect(stdout).toContain('Exported 5 instances');
  for (const file of ['instances.json', 'domains.ndjson', 'domains.txt', 'manifest.json'])
    expect(home.exported(file), file).not.toContain(one);
});

test('forget ends with 1 if the publish guard holds the export, and reports why the domain is still published and the cure', async () => {
  const home = await publishedHome();
  await home.visit(fleet.slice(5), start + hour, (domain, at) =>
    loopsVisit(domain, at, { verdict: 'other', reason: 'config-software', software: 'pixelfed', facts: null }),
  );
  const before = home.exported('instances.json');
  const { code, stdout, stderr } = await home.command('forget', one, two);
  expect(code).toBe(1);
  expect(stdout).toContain(`${one} is opted out permanently`);
  expect(stderr).toContain(`The database no longer holds ${one}, ${two}, but published files may still name them.`);
  expect(stderr).toMatch(/5 of 10 listed instances would disappear, 50\.0 %.*publish anyway with export --force/);
  expect(home.exported('instances.json')).toBe(before);

  const again = await home.command('forget', one, '--json');
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stdout)).toEqual({ forgotten: [], already: [one], export: null });
  expect((await home.command('export', '--force')).code).toBe(0);
  expect(home.exported('instances.json')).not.toContain(one);
});

test('forget in an older database does not replace the files', async () => {
  const home = await publishedHome();
  const older = createFilledHome();
  await older.visit(fleet.slice(0, 3), start);
  const { code, stderr } = await older.command('forget', one, '--set', `export.dir=${home.exportDir}`);
  expect(code).toBe(1);
  expect(stderr).toContain('but published files may still name them');
  expect(stderr).toContain('put the newer database back');
  expect(home.exported('domains.txt')).toContain(one);
});

test('forget in a folder with neither settings nor a database is refused, and writes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code, stderr } = await runCommand(['forget', one], folder);
  expect([code, stderr]).toEqual([2, expect.stringContaining('loopscout.sqlite does not exist')]);
  expect(readdirSync(folder)).toEqual([]);
});
