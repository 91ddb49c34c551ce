import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from './fleet-home.ts';
import { repository, run, runCli } from './run-cli.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeSettings(value: object | string): string {
  const file = join(folder, 'settings.json');
  // A contact and a source, so that their absence is not the first error.
  writeFileSync(join(folder, 'seeds.txt'), '');
  const complete = { contact: 'https://clips.dev/about', sources: [{ type: 'file', path: 'seeds.txt' }] };
  const text = typeof value === 'string' ? value : JSON.stringify({ ...complete, ...value });
  writeFileSync(file, text);
  return file;
}

async function crawl(value: object | string) {
  return runCommand(['crawl', '--config', writeSettings(value)], folder);
}

describe('a command exits with code 2 and an error message for', () => {
  const file = () => join(folder, 'a-file');
  const cases: [name: string, value: () => object | string, message: RegExp][] = [
    [
      'a setting of the wrong type',
      () => ({ queue: { concurrency: 'many' } }),
      /queue\.concurrency is "many"; allowed: a whole number/,
    ],
    [
      'a contact that is an example',
      () => ({ contact: 'https://example.org/bot' }),
      /contact is an example.*set it to/,
    ],
    ['an unknown key', () => ({ queue: { concurency: 1 } }), /did you mean queue\.concurrency\?/],
    ['a file that is not JSON', () => '{ "queue": }', /line 1, column 12/],
    ['a missing source file', () => ({ sources: [{ type: 'file', path: 'none.txt' }] }), /none\.txt .* no such file/],
    ['a source that is a folder', () => ({ sources: [{ type: 'file', path: '.' }] }), /it is a folder/],
    [
      'a database below a file',
      () => ({ database: `${file()}/x/db.sqlite` }),
      /a-file\/x\/db\.sqlite .* name a folder/,
    ],
    [
      'a database in a folder that cannot be created',
      () => ({ database: '/proc/loopscout/db.sqlite' }),
      /name a folder/,
    ],
    ['a database path that is another file', () => ({ database: file() }), /not a SQLite database/],
    ['an export folder below a file', () => ({ export: { dir: `${file()}/export` } }), /not a folder/],
    ['an export folder that cannot be created', () => ({ export: { dir: '/proc/loopscout' } }), /export\.dir/],
    ['a missing certificate file', () => ({ network: { caFile: 'none.pem' } }), /network\.caFile .*none\.pem/],
  ];

  for (const [name, value, message] of cases) {
    test(name, async () => {
      writeFileSync(file(), 'something else');
      const { code, stdout, stderr } = await crawl(value());
      expect(stderr).toMatch(message);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('    at ');
      expect(stdout).toBe('');
      expect(code).toBe(2);
    });
  }

  test('several invalid settings, all reported at once', async () => {
    const { code, stderr } = await crawl({ softwareId: 1, robots: 'sometimes', network: { allow: ['10.0.0.0/99'] } });
    expect(code).toBe(2);
    for (const key of ['softwareId', 'robots', 'network.allow[0]']) expect(stderr).toContain(`${key} is `);
  });

  test('an invalid domain on the command line', async () => {
    const { code, stderr } = await runCommand([
      'crawl',
      'localhost',
      '10.0.0.1',
      '--set',
      `database=${folder}/db.sqlite`,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('localhost: single-label');
    expect(stderr).toContain('10.0.0.1: ip-literal');
  });

  test('an unknown command and an unknown option', async () => {
    for (const args of [['crowl'], ['crawl', '--hurry']]) {
      const { code, stderr } = await runCommand(args);
      expect(code).toBe(2);
      expect(stderr).toContain('unknown');
    }
  });
});

test('an old Node version is refused with one sentence', async () => {
  const setOldVersion = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})";
  const { code, stderr } = await runCli(['crawl'], { nodeArgs: ['--import', setOldVersion] });
  expect(stderr).toBe('Loopscout needs Node.js 22.20 or newer; this is 20.19.0. Install a newer version.\n');
  expect(code).toBe(2);
});

describe('a full disk', () => {
  test('ends the crawl with 1 and one sentence; recorded visits stay, and the next crawl visits the rest once', async () => {
    await using fleet = await createFleet({ hosts: 400, log: false, mix: { 'loops-federation-off': 1, mastodon: 1 } });
    using home = createFleetHome(fleet);
    mkdirSync(join(home.folder, 'data'));
    // A file size limit looks like a disk quota to the process: 1,500 blocks of 1 KiB.
    const command = `ulimit -f 1500; exec "${process.execPath}" "${repository}src/cli.ts" crawl --config "${home.settingsFile}"`;
    const { code, stderr } = await run('bash', ['-c', command]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/loopscout: The database .* full; free some space/);
    expect(stderr).not.toContain('    at ');
    const recorded = countVisits(home.database);
    expect(recorded).toBeGreaterThan(0);
    expect(recorded).toBeLessThan(400);

    const next = await runCommand(['crawl', '--json', '--config', home.settingsFile]);
    expect(next.code, next.stderr).toBe(0);
    expect(JSON.parse(next.stdout).visited).toBe(400 - recorded);
    expect(countVisits(home.database)).toBe(400);
  });
});

function countVisits(path: string): number {
  const database = new Database(path);
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const { visits, domains } = database
      .prepare('select count(*) as visits, count(distinct domain_id) as domains from visits')
      .get() as { visits: number; domains: number };
    expect(visits).toBe(domains);
    return visits;
  } finally {
    database.close();
  }
}
