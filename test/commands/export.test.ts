import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Domain } from '../../src/model/domain/domain.ts';
import { loopsVisit, sampleDomains, sampleFactsAt } from '../store/sample-visit.ts';
import { createFilledHome } from './filled-home.ts';

const start = Date.UTC(2026, 0, 1);
const fleet = sampleDomains(3);

test('export of a missing database ends with 2 and creates none', async () => {
  const home = createFilledHome();
  for (const args of [['export'], ['export', '--force']]) {
    const { code, stderr } = await home.command(...args);
    expect(code, args.join(' ')).toBe(2);
    expect(stderr).toContain('does not exist; crawl first, or name the database of a crawl');
  }
  expect(existsSync(home.database)).toBe(false);
  expect(existsSync(home.exportDir)).toBe(false);
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
