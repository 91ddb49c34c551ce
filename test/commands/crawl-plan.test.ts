import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { createFleetHome, type FleetHome } from '../process/fleet-home.ts';
import { type CommandEnd, runCommand } from './run-command.ts';

let fleet: Fleet;
let home: FleetHome;
beforeAll(async () => {
  fleet = await createFleet({ hosts: 3, mix: { loops: 1 }, log: false });
});
afterAll(() => fleet.close());
beforeEach(() => {
  home = createFleetHome(fleet);
});
afterEach(() => home[Symbol.dispose]());

const run = (...args: string[]): Promise<CommandEnd> =>
  runCommand(['--config', home.settingsFile, '--quiet', ...args], home.folder);
const plan = async (...args: string[]) => JSON.parse((await run('crawl', '--dry-run', '--json', ...args)).stdout);
const domains = () => fleet.hosts.map(({ domain }) => domain);
const REMOTE = { type: 'json', id: 'list', url: 'https://list.example/all.json' };
const withRemote = () => [
  '--set',
  `sources=${JSON.stringify([{ type: 'file', path: join(home.folder, 'seeds.txt') }, REMOTE])}`,
];

describe('crawl --dry-run', () => {
  it('shows the sources and the new domains of files, and creates no file', async () => {
    const before = readdirSync(home.folder).sort();
    const { code, stdout } = await run('crawl', '--dry-run', ...withRemote());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 sources would be read:\n {2}\S+seeds\.txt: yes, without requests\n/);
    expect(stdout).toContain(
      'https://list.example/all.json: yes, for the first time; the number of requests is unknown',
    );
    expect(stdout).toContain('3 domains would be visited, and those that remote sources add:');
    for (const domain of domains())
      expect(stdout).toMatch(new RegExp(`^ {2}${domain}: new, listed by \\S+seeds\\.txt$`, 'm'));
    expect(stdout).toMatch(/Nothing was contacted or written\.\n$/);
    expect(readdirSync(home.folder).sort()).toEqual(before);
  });

  it('names exactly the domains that the crawl then visits, and changes nothing in the database', async () => {
    await run('crawl', '--sources', 'none', ...domains().slice(0, 1));
    const stored = readFileSync(home.database);
    const planned = await plan();
    expect(readFileSync(home.database).equals(stored)).toBe(true);
    const crawled = JSON.parse((await run('crawl', '--json')).stdout);
    expect(planned.domains.map(({ domain }: { domain: string }) => domain).sort()).toEqual(domains().slice(1).sort());
    expect(crawled.visited).toBe(fleet.hosts.length - 1);
    expect((await plan()).domains).toEqual([]);
  });

  it('shows due and named domains, and leaves out opt-outs', async () => {
    await run('crawl');
    const [first = '', second = ''] = domains();
    const named = await plan(first);
    expect(named).toMatchObject({ sources: [], domains: [{ domain: first }], optedOut: [] });
    writeFileSync(join(home.folder, 'opt-outs.txt'), `${first}\n`);
    const file = join(home.folder, 'opt-outs.txt');
    expect(await plan(first, second, '--set', `optOut.file=${file}`)).toMatchObject({
      domains: [{ domain: second, dueSince: expect.any(String) }],
      optedOut: [first],
    });
    writeFileSync(join(home.folder, 'seeds.txt'), `${first}\nnew.example\n`);
    const { stdout } = await run('crawl', '--dry-run', '--set', `optOut.file=${file}`);
    expect(stdout).toContain('1 domain would be visited:\n  new.example: new');
  });

  it.each([
    ['due', 'yes'],
    ['none', 'left-out'],
  ])(
    'with --sources %s gives a file source, and a remote source that was never read, the status "%s"',
    async (which, status) => {
      await run('crawl');
      const { sources } = await plan('--sources', which, ...withRemote());
      expect(sources.map(({ read }: { read: string }) => read)).toEqual([status, status]);
    },
  );

  it('counts the requests of the last run of a remote source, here none, and says when it is due', async () => {
    await run('crawl', ...withRemote());
    const { sources } = await plan(...withRemote());
    const [, list] = sources;
    expect(list).toMatchObject({
      read: 'not-due',
      // Its name does not resolve.
      requestsLastTime: 0,
      nextRead: expect.stringMatching(/Z$/),
    });
  });
});

describe('without candidates,', () => {
  it.each(['crawl', 'run'])(
    '%s names the settings to edit, with exit code 2, and creates no database',
    async (command) => {
      const { code, stderr } = await run(command, '--set', 'sources=[]');
      expect(code).toBe(2);
      expect(stderr).toBe(
        `loopscout: nothing to visit: "sources" in ${home.settingsFile} has no enabled source, and the database has no domains; enable a source there, or write new settings with loopscout init\n`,
      );
      expect(existsSync(home.database)).toBe(false);
    },
  );

  it('a crawl without a settings file names init', async () => {
    const { code, stderr } = await runCommand(['crawl', '--set', 'contact=me@clips.dev'], home.folder);
    const file = join(home.folder, 'crawler.config.json');
    expect([code, stderr]).toEqual([
      2,
      `loopscout: nothing to visit: there is no ${file}; write it with loopscout init\n`,
    ]);
    const example = await runCommand(['crawl'], home.folder);
    expect([example.code, example.stderr]).toEqual([2, expect.stringContaining(`write ${file} with loopscout init`)]);
  });

  it('--sources none is refused only while no domain is known', async () => {
    expect(await run('crawl', '--sources', 'none')).toMatchObject({
      code: 2,
      stderr: 'loopscout: nothing to visit: the database has no domains; leave out --sources none\n',
    });
    await run('crawl');
    expect((await run('crawl', '--sources', 'none')).code).toBe(0);
  });

  it('a crawl says that the sources listed no domain, with exit code 1', async () => {
    writeFileSync(join(home.folder, 'seeds.txt'), '# none yet\n');
    const { code, stderr } = await run('crawl');
    expect([code, stderr]).toEqual([1, expect.stringContaining('No domain is known, because no source listed one')]);
  });
});
