import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runCommand } from '../commands/run-command.ts';
import { loopsVisit, recordedVisit } from '../store/sample-visit.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';

let fleet: Fleet;
let home: FleetHome;

beforeAll(async () => {
  fleet = await createFleet({ hosts: 12, mix: { loops: 1, mastodon: 1, 'tls-expired': 1 } });
  home = createFleetHome(fleet);
});

afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
});

const cli = (...args: string[]) => runCommand([...args, '--config', home.settingsFile], home.folder);

const hostOf = (kind: string, index = 0) => {
  const host = fleet.hosts.filter((candidate) => candidate.kind === kind)[index];
  if (host === undefined) throw new Error(`no ${kind} in the fleet`);
  return host.domain;
};

const exported = () => readFileSync(join(home.exportDir, 'domains.ndjson'), 'utf8');

test('explain without a database prints one error and creates no database', async () => {
  const { code, stderr } = await cli('explain', hostOf('loops'));
  expect(code).toBe(2);
  expect(stderr).not.toContain('bug');
  expect(existsSync(home.database)).toBe(false);
});

test('`add` visits the domain at once and reports that a Loops server is listed; explain then shows the reason', async () => {
  const domain = hostOf('loops');
  const added = await cli('add', domain);
  expect(added.code, added.stderr).toBe(0);
  expect(added.stdout).toContain(`${domain}: loops, version`);
  expect(added.stdout).toContain(`${domain} is listed.`);
  expect(exported()).toContain(`"${domain}"`);

  const { code, stdout } = await cli('explain', domain);
  expect(code).toBe(0);
  expect(stdout.startsWith(`${domain} is listed.\n`)).toBe(true);
  expect(stdout).toContain('configuration  answered (200');

  const { stdout: json } = await cli('explain', domain, '--json', '--visits', '1');
  expect(JSON.parse(json)).toMatchObject({ domain, state: 'active', listed: true, visits: [{ verdict: 'loops' }] });
});

test('add explains why a visited domain is not listed, and still exits with 0', async () => {
  const domain = hostOf('tls-expired');
  const { code, stdout } = await cli('add', domain, hostOf('mastodon'), '--json');
  expect(code).toBe(0);
  const { explanations, visits } = JSON.parse(stdout);
  expect(visits).toHaveLength(2);
  expect(explanations).toMatchObject([
    { domain, listed: false, headline: `${domain} is not listed: no secure connection to it can be made.` },
    { domain: hostOf('mastodon'), listed: false },
  ]);
});

test('add waits for a visit that another process begins after it, and prints its result', async () => {
  const domain = storedDomain(hostOf('loops', 1));
  await using otherStore = await openStore({ path: home.database });
  const crawling = otherStore.startCrawling({ command: 'crawl', pid: process.pid, since: Date.now() });
  if ('heldBy' in crawling) throw new Error('another process is crawling');
  using _role = crawling;
  const pick = () => {
    const [picked] = otherStore.due.pick(1, Date.now(), [domain]);
    if (picked === undefined) throw new Error('not picked');
    return picked;
  };
  const visit = (at: number, version: string) => loopsVisit(domain, at, { version });
  const begunAt = Date.now();
  otherStore.domains.enter([domain], begunAt);
  const begunBefore = pick();
  const adding = runCli(['add', domain, '--json', '--config', home.settingsFile], {
    onStart: (child) =>
      child.stderr?.on('data', (text) => {
        if (!String(text).includes('visits now')) return;
        otherStore.visits.record([recordedVisit(begunBefore, begunAt, visit(begunAt, '1.0.0-before'))]);
        const at = Date.now();
        otherStore.visits.record([recordedVisit(pick(), at, visit(at, '1.0.0-other-process'))]);
      }),
  });
  const { code, stdout, stderr } = await adding;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).visits).toMatchObject([{ domain, version: '1.0.0-other-process' }]);
  expect(fleet.requests.count(domain)).toBe(0);
});

test('add visits the domain itself once another process that crawled ends without that visit', async () => {
  const domain = hostOf('mastodon', 1);
  await using otherStore = await openStore({ path: home.database });
  const crawling = otherStore.startCrawling({ command: 'add', pid: process.pid, since: Date.now() });
  if ('heldBy' in crawling) throw new Error('another process is crawling');
  const { code, stdout, stderr } = await runCli(['add', domain, '--json', '--config', home.settingsFile], {
    onStart: (child) =>
      child.stderr?.on('data', (text) => {
        if (String(text).includes('visits now')) crawling[Symbol.dispose]();
      }),
  });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ end: 'done', visits: [{ domain, verdict: 'other' }] });
});

test('explain of an unknown domain exits with 1 and a hint; a wrong command line exits with 2', async () => {
  const unknown = await cli('explain', 'never-heard-of.example');
  expect(unknown.code).toBe(1);
  expect(unknown.stdout).toContain('loopscout add never-heard-of.example');
  const json = await cli('explain', 'never-heard-of.example', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ state: null, listed: false });
  for (const args of [
    ['explain', 'not a domain'],
    ['explain'],
    ['explain', 'a.example', '--visits', 'x'],
    ['add'],
    ['backup'],
  ])
    expect((await cli(...args)).code, args.join(' ')).toBe(2);
});

test('forget permanently removes a domain from the database and the exported files, and can be repeated', async () => {
  const domain = hostOf('loops', 2);
  await cli('add', domain);
  expect(exported()).toContain(`"${domain}"`);
  const first = await cli('forget', domain);
  expect(first.code, first.stderr).toBe(0);
  expect(first.stdout).toContain(`${domain} is opted out permanently`);
  expect(readFileSync(join(home.exportDir, 'instances.json'), 'utf8')).not.toContain(`"${domain}"`);
  const again = await cli('forget', domain, '--json');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ forgotten: [], already: [domain] });

  const explained = await cli('explain', domain);
  expect(explained.code).toBe(0);
  expect(explained.stdout).toContain('its owner has opted out');
  const added = await cli('add', domain);
  expect(added.code).toBe(1);
  expect(added.stderr).toContain(`${domain} is not visited: its owner has opted out`);
});

test('`backup` copies the database to a file in the current folder, and replaces an existing file only with --force', async () => {
  mkdirSync(join(home.folder, 'copies'));
  const { code, stdout, stderr } = await cli('backup', 'copies/one.sqlite', '--json');
  expect(code, stderr).toBe(0);
  const { file, bytes } = JSON.parse(stdout);
  expect(file).toBe(join(home.folder, 'copies/one.sqlite'));
  expect(readFileSync(file)).toHaveLength(bytes);
  using copy = disposable(new Database(file, { readonly: true }));
  expect(copy.database.pragma('integrity_check', { simple: true })).toBe('ok');

  const refused = await cli('backup', 'copies/one.sqlite');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).not.toContain('bug');
  expect((await cli('backup', 'copies/one.sqlite', '--force')).code).toBe(0);
});

function disposable(database: Database.Database) {
  return { database, [Symbol.dispose]: () => void database.close() };
}
