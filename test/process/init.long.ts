import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { jsonAnswer, type ListSite, startListSite } from './list-site.ts';
import { runCli } from './run-cli.ts';

let fleet: Fleet;
let home: FleetHome;
let site: ListSite;
let folder: string;
beforeAll(async () => {
  fleet = await createFleet({ hosts: 6, mix: { loops: 1 } });
  home = createFleetHome(fleet);
  site = await startListSite();
  site.answers.set('closed.example', (_request, response) => response.writeHead(403).end());
  site.answers.set('list.example', jsonAnswer([fleet.hosts[0]?.domain]));
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
}, 60_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  home[Symbol.dispose]();
  await site[Symbol.asyncDispose]();
  await fleet.close();
});

/** Names resolve to this machine only. */
const network = ({ dnsServer, caFile }: Pick<Fleet, 'dnsServer' | 'caFile'>, sources: object[]) => ({
  LOOPSCOUT_DOMAINS_ALLOW_SUFFIXES: 'example',
  LOOPSCOUT_NETWORK_ALLOW: '127.0.0.1/32',
  LOOPSCOUT_NETWORK_CA_FILE: caFile,
  LOOPSCOUT_NETWORK_DNS_SERVERS: dnsServer,
  LOOPSCOUT_SOURCES: JSON.stringify(sources),
});
const init = (name: string, env: NodeJS.ProcessEnv, ...args: string[]) =>
  runCli(['init', join(folder, name), '--contact', 'https://clips.dev/about', '--quiet', ...args], { env });

describe('init ends with a first crawl', () => {
  test('that says how many Loops servers were found', async () => {
    const seeds = { type: 'file', path: join(home.folder, 'seeds.txt') };
    const { code, stdout } = await init('enough', network(fleet, [seeds]));
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('\nFirst crawl: 6 Loops servers found, 6 domains visited.\nChoose a licence '),
    ]);
  });

  test('that says why there are few, and what to switch on', async () => {
    const sources = [
      { type: 'json', id: 'closed', url: site.urlOf('closed.example') },
      { type: 'json', id: 'list', url: site.urlOf('list.example') },
      { type: 'fedidb', enabled: false },
    ];
    const { code, stdout } = await init('few', network(site, sources));
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    const start = lines.findIndex((line) => line.startsWith('First crawl: '));
    expect(lines.slice(start, start + 4)).toEqual([
      'First crawl: 0 Loops servers found, 1 domain visited. These are few, because:',
      `  - The source json ${site.urlOf('closed.example', '')} refuses access (status 403); ask its owner to admit the User-Agent of this crawler, or switch the source off ("enabled": false).`,
      '  - Of 1 domain visited, 1 unreachable; explain DOMAIN gives the reason of one.',
      '  - These sources are switched off: fedidb. To read one, follow its note in crawler.config.json and set "enabled": true.',
    ]);
  });

  test('that is skipped with a sentence when this machine is offline', async () => {
    const env = {
      ...network(site, [{ type: 'file', path: join(home.folder, 'seeds.txt') }]),
      LOOPSCOUT_NETWORK_DNS_SERVERS: '127.0.0.1:9',
    };
    const { code, stdout } = await init('offline', env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No first crawl: this machine is offline')]);
  }, 60_000);

  test('that leaves the database to the process that is crawling with it', async () => {
    const env = network(fleet, [{ type: 'file', path: join(home.folder, 'seeds.txt') }]);
    await init('busy', env);
    await using store = await openStore({ path: join(folder, 'busy', 'data', 'loopscout.sqlite') });
    const crawling = store.startCrawling({ command: 'run', pid: process.pid, since: Date.now() });
    if ('heldBy' in crawling) throw new Error('the command init is still crawling');
    using _crawling = crawling;
    const { code, stdout } = await init('busy', env, '--force');
    expect([code, stdout]).toEqual([0, expect.stringContaining('No first crawl: run (process ')]);
  });

  test('whose result --json prints', async () => {
    const { stdout } = await init(
      'json',
      network(site, [{ type: 'json', url: site.urlOf('closed.example') }]),
      '--json',
    );
    expect(JSON.parse(stdout).firstCrawl).toEqual({
      loops: 0,
      visited: 0,
      why: [
        expect.stringContaining('refuses access (status 403)'),
        'No source listed a domain that could be visited.',
        'Every source is switched on; add domains to seeds.txt.',
      ],
    });
  });
});
