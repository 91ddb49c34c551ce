import type { ChildProcess } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';

let fleet: Fleet;
let home: FleetHome;

beforeAll(async () => {
  fleet = await createFleet({ hosts: 250, delayMs: 20, mix: { loops: 1, mastodon: 1, redirected: 1 } });
  home = createFleetHome(fleet);
});

afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
});

const firstOf = (kind: string) => {
  const host = fleet.hosts.find((candidate) => candidate.kind === kind);
  if (host === undefined) throw new Error(`no ${kind} in the fleet`);
  return host;
};

test('a domain named on the command line is visited at once, and only that domain; every request is printed', async () => {
  const { domain } = firstOf('loops');
  for (let pass = 1; pass <= 2; pass++) {
    const { code, stdout, stderr } = await runCommand(['crawl', domain, '--config', home.settingsFile]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`${domain}: loops, version`);
    for (const path of ['/robots.txt', '/api/v1/config', '/.well-known/nodeinfo']) {
      expect(stdout).toContain(`https://${domain}${path}  `);
      expect(fleet.requests.count(domain, path)).toBe(pass);
    }
    expect(stdout).toContain('Visited 1 domain in');
  }
  expect(fleet.hosts.filter((host) => fleet.requests.count(host.domain) > 0)).toHaveLength(1);
});

test('the target of an alias becomes due, and is not visited in the same pass', async () => {
  const { domain, expect: expected } = firstOf('redirected');
  const { stdout } = await runCommand(['crawl', domain, '--json', '--config', home.settingsFile]);
  const report = JSON.parse(stdout);
  expect(report.visits).toMatchObject([{ domain, verdict: 'alias', reason: 'redirected', aliasOf: expected?.aliasOf }]);
  // The domain of the test above, the alias, and its target.
  expect(report.domains).toMatchObject({ known: 3, due: 1 });
});

test('a crawl beside another one says in one sentence which process is crawling, and ends with 1', async () => {
  const domain = firstOf('mastodon').domain;
  await using store = await openStore({ path: home.database });
  const crawling = store.startCrawling({ command: 'run', pid: 4_711, since: Date.now() });
  const { code, stderr } = await runCommand(['crawl', domain, '--config', home.settingsFile]);
  if (!('heldBy' in crawling)) crawling[Symbol.dispose]();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^loopscout: run \(process 4711, since .* UTC\) is crawling with .*; stop it first, or let it visit a domain now: loopscout add DOMAIN/,
  );
});

test('SIGINT during a source run ends the crawl with 1 and keeps the domains read so far', async () => {
  using otherHome = createFleetHome(fleet);
  const names = Array.from({ length: 600_000 }, (_, i) => `host-${i}.r${Math.floor(i / 100)}.org\n`);
  writeFileSync(`${otherHome.folder}/seeds.txt`, names.join(''));
  const { code, stdout, stderr } = await runCli(['crawl', '--json', '--config', otherHome.settingsFile], {
    onStart: (child) => signalWhenWritten(child, 'SIGINT', `${otherHome.database}-wal`, 1_500_000),
  });
  expect(stderr).not.toContain('bug');
  expect(code).toBe(1);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ end: 'stopped', visited: 0, export: null });
  expect(report.domains.known).toBeGreaterThan(0);
  expect(report.domains.known).toBeLessThan(names.length);
});

test('SIGTERM ends a crawl with 1: unvisited domains stay due, no file is written', async () => {
  using otherHome = createFleetHome(fleet);
  const { code, stdout } = await runCli(['crawl', '--json', '--config', otherHome.settingsFile], {
    onStart: (child) => signalWhenWritten(child, 'SIGTERM', `${otherHome.database}-wal`, 600_000),
  });
  expect(code).toBe(1);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ end: 'stopped', export: null, domains: expect.any(Object) });
  expect(report.visited + report.domains.due).toBeGreaterThanOrEqual(fleet.hosts.length);
  expect(existsSync(`${otherHome.exportDir}/manifest.json`)).toBe(false);

  const next = await runCommand(['crawl', '--json', '--config', otherHome.settingsFile]);
  expect(next.code, next.stderr).toBe(0);
  const database = new Database(otherHome.database, { readonly: true });
  const visits = database.prepare('select count(*) as n, count(distinct domain_id) as domains from visits').get();
  database.close();
  expect(visits).toEqual({ n: fleet.hosts.length, domains: fleet.hosts.length });
});

/**
 * Sends the signal once the write-ahead log has this many bytes, independent of the start-up time. The empty tables already take
 * some of them.
 */
function signalWhenWritten(child: ChildProcess, signal: NodeJS.Signals, log: string, bytes: number): void {
  const timer = setInterval(() => {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < bytes) return;
    clearInterval(timer);
    child.kill(signal);
  }, 5);
  child.once('exit', () => clearInterval(timer));
}
