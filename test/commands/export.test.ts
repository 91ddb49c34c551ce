import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Domain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import { hour, loopsVisit, sampleDomains, sampleFactsAt } from '../store/sample-visit.ts';
import { createFilledHome } from './filled-home.ts';

const start = Date.UTC(2026, 0, 1);
const fleet = sampleDomains(3);

test('export of a missing database ends with 2 and creates none', async () => {
  const home = createFilledHome();
  for (const args of [['export'], ['export', '--force'], ['diff', '2026-01-01']]) {
    const { code, stderr } = await home.command(...args);
    expect(code, args.join(' ')).toBe(2);
    expect(stderr).toContain('does not exist; crawl first, or name the database of a crawl');
  }
  expect(existsSync(home.database)).toBe(false);
  expect(existsSync(home.exportDir)).toBe(false);
});

test('an empty or unusable --dir ends with 2, and the cure names --dir', async () => {
  const home = createFilledHome();
  await home.visit(fleet, start);
  const asOf = ['export', '--as-of', '2026-01-02'];
  for (const dir of ['', ' ']) {
    const { code, stderr } = await home.command(...asOf, '--dir', dir);
    expect(code).toBe(2);
    expect(stderr).toContain('--dir is empty');
  }
  expect(readdirSync(home.folder).filter((name) => name.endsWith('.json'))).toEqual(['settings.json']);
  writeFileSync(join(home.folder, 'taken'), '');
  const { code, stderr } = await home.command(...asOf, '--dir', 'taken');
  expect(code).toBe(2);
  expect(stderr).toContain('set --dir to a folder');
  expect(stderr).not.toContain('export.dir');
  mkdirSync(home.exportDir);
  writeFileSync(join(home.exportDir, 'schema'), '');
  expect((await home.command('export')).stderr).toContain('set export.dir to a folder');
});

test('export says how many domains it left out at their request, and how many numbers of users as implausible', async () => {
  const home = createFilledHome();
  const [shown, hidden, implausible] = fleet as [Domain, Domain, Domain];
  await home.visit([shown], start);
  expect((await home.command('export')).stdout.split('\n')).toHaveLength(2);
  await home.visit([hidden, implausible], start, (domain, at) => {
    const visit = loopsVisit(domain, at);
    if (domain === hidden) return { ...visit, host: { ...visit.host, noindex: true } };
    const facts = sampleFactsAt(at);
    return { ...visit, facts: { ...facts, usage: { ...facts.usage, users: 9_000_000_000_000_000 } } };
  });
  const { stdout } = await home.command('export');
  expect(stdout).toMatch(/^Exported 2 instances and 2 domains to /);
  expect(stdout).toContain('Domains: 3 known, 2 exported, 1 not published at their request.\n');
  expect(stdout).toContain('Number of users: 1 of 2 excluded as implausible.\n');
  expect(JSON.parse(home.exported('instances.json')).counts.users).toEqual({
    total: 1234,
    reporting: 1,
    implausible: 1,
  });
});

test('export reports that it rewrote only a damaged manifest', async () => {
  const home = createFilledHome();
  await home.visit(fleet, start);
  expect((await home.command('export')).stdout).toMatch(/\(\d+ of \d+ files changed\)/);
  expect((await home.command('export')).stdout).toContain('(nothing changed)');
  writeFileSync(join(home.exportDir, 'manifest.json'), '{');
  expect((await home.command('export')).stdout).toContain('(only the manifest changed)');
});

test('--as-of into a folder of another time gives every file the requested time', async () => {
  const home = createFilledHome();
  await home.visit(fleet, start);
  const read = (name: string) => JSON.parse(readFileSync(join(home.folder, 'past', name), 'utf8')).generatedAt;
  const files = ['instances.json', 'instances.min.json', 'stats.json', 'manifest.json'];
  for (const time of ['2026-01-02T01:00:00.000Z', '2026-01-02T02:00:00.000Z', '2026-01-02T01:00:00.000Z']) {
    const { code, stderr } = await home.command('export', '--as-of', time, '--dir', 'past');
    expect(code, stderr).toBe(0);
    expect(files.map(read)).toEqual(files.map(() => time));
  }
  const { stdout } = await home.command('export', '--as-of', '2026-01-02T01:00Z', '--dir', 'past');
  expect(stdout).toContain('(nothing changed)');
});

test('--as-of waits while another process exports', async () => {
  const home = createFilledHome();
  await home.visit(fleet, start);
  await using store = await openStore({ path: home.database });
  const role = store.takeRole('export');
  let hasEnded = false;
  const running = home.command('export', '--as-of', '2026-01-02', '--dir', 'past').finally(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(hasEnded).toBe(false);
  expect(existsSync(join(home.folder, 'past'))).toBe(false);
  role?.[Symbol.dispose]();
  expect((await running).code).toBe(0);
});

test('diff refuses to compare a time with itself', async () => {
  const home = createFilledHome();
  await home.visit(fleet, start + hour);
  for (const times of [['now', 'now'], ['now'], ['2026-01-02', '2026-01-02']]) {
    const { code, stderr } = await home.command('diff', ...times);
    expect(code, times.join(' ')).toBe(2);
    expect(stderr).toContain('both times are the same');
  }
});
