import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createFleet, type HostRow } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { freePort } from '../serve-http.ts';

const HOSTS = 400;
/** Three servers form a chain: each lists the next. Only the third also lists these Loops servers. */
const HIDDEN_LOOPS = 12;
/** Hosts of a list that reports their software as Loops; three quarters of them run it. */
const REPORTED = 40;
/** Hosts of a short list. */
const SMALL = 30;
/** Other hosts that the first server of the chain lists. A long list contains the rest of the fleet. */
const LISTED_BY_FIRST = 100;

const hostNames = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${kind}-${String(index + 1).padStart(4, '0')}.example`);

/** A host that serves a document at one path. */
const serving = (name: string, kind: string, route: string, document: unknown): HostRow => {
  return { name, kind, faults: [{ route, fault: 'status', status: 200, body: JSON.stringify(document) }] };
};

test('in a fleet of 400 with sources that list each other, crawls find 12 Loops servers behind a chain of three sources and visit in priority order', async () => {
  const port = await freePort();
  const withPort = (name: string) => `${name}:${port}`;
  const [hidden, reported, small] = [
    hostNames('hidden', HIDDEN_LOOPS),
    hostNames('reported', REPORTED),
    hostNames('small', SMALL),
  ];
  const chain = ['first.example', 'second.example', 'third.example'];
  const others = hostNames('other', HOSTS - HIDDEN_LOOPS - REPORTED - SMALL - chain.length);
  const [listedByFirst, large] = [others.slice(0, LISTED_BY_FIRST), others.slice(LISTED_BY_FIRST)];
  const peers = (...lists: string[][]) => lists.flat().map(withPort);
  const rows: HostRow[] = [
    ...hidden.map((name): HostRow => ({ name, kind: 'loops' })),
    ...reported.map((name, index): HostRow => ({ name, kind: index % 4 === 0 ? 'mastodon' : 'loops' })),
    ...small.map((name): HostRow => ({ name, kind: 'other-by-config' })),
    ...others.map((name, index): HostRow => ({ name, kind: index % 20 === 0 ? 'mastodon' : 'other-by-config' })),
    serving(
      'first.example',
      'mastodon',
      '/api/v1/instance/peers',
      peers(listedByFirst, ['second.example', 'first.example']),
    ),
    serving(
      'second.example',
      'mastodon',
      '/api/v1/instance/peers',
      peers(['first.example', 'third.example'], listedByFirst.slice(0, 50)),
    ),
    serving('third.example', 'mastodon', '/api/v1/instance/peers', peers(['second.example', 'first.example'], hidden)),
  ];
  await using fleet = await createFleet({ file: { hosts: rows, port }, log: false });
  expect(fleet.hosts).toHaveLength(HOSTS);
  using home = createFleetHome(fleet, { queue: { concurrency: 16, perRegistrableDomain: 0 } });
  writeFileSync(join(home.folder, 'flood.txt'), peers(large).join('\n'));
  writeFileSync(join(home.folder, 'small.txt'), peers(small).join('\n'));
  // File sources are read before the first visit, web sources during the crawl.
  const hints = [
    ...reported.map((name) => ({ domain: withPort(name), software: 'loops' })),
    { domain: withPort('first.example'), software: 'mastodon' },
  ];
  writeFileSync(join(home.folder, 'hints.json'), JSON.stringify(hints));
  const withoutPause = { pauseSeconds: 0 };
  const settings = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  settings.sources = [
    { type: 'file', id: 'flood', path: 'flood.txt' },
    { type: 'mastodon-peers', id: 'first', url: `https://${withPort('first.example')}`, ...withoutPause },
    { type: 'file', id: 'small', path: 'small.txt' },
    { type: 'file', id: 'hints', path: 'hints.json', softwareKey: 'software' },
    // Three sources, one for each step: `met`, `met 2` and `met 3`.
    { type: 'crawled', id: 'met', peers: true, depth: 3, servers: 400 },
  ];
  writeFileSync(home.settingsFile, JSON.stringify(settings));

  // Each pass requests the peers of the servers that the previous pass discovered: one step further in the chain.
  for (const pass of [1, 2, 3, 4]) {
    const { code, stdout, stderr } = await runCommand([
      'crawl',
      '--json',
      '--sources',
      'all',
      '--config',
      home.settingsFile,
    ]);
    expect(code, stderr).toBe(0);
    const { domains } = JSON.parse(stdout);
    expect(domains.due, `after pass ${pass}`).toBe(0);
    const visits = visitsIn(home.database);
    const loops = new Set(visits.filter(({ verdict }) => verdict === 'loops').map(({ domain }) => domain));
    expect(hidden.filter((name) => loops.has(withPort(name))).length, `after pass ${pass}`).toBe(
      pass < 3 ? 0 : HIDDEN_LOOPS,
    );
    if (pass === 1)
      expectPriorities(
        visits.map(({ domain }) => domain),
        {
          reported: reported.map(withPort),
          small: small.map(withPort),
          first: listedByFirst.map(withPort),
          large: large.map(withPort),
        },
      );
    // Sources that list each other add nothing new: every host was visited once.
    if (pass === 4) {
      expect(visits).toHaveLength(HOSTS);
      expect(new Set(visits.map(({ domain }) => domain)).size).toBe(HOSTS);
    }
  }
  const { stdout } = await runCommand(['sources', '--json', '--config', home.settingsFile]);
  const loopsBy = Object.fromEntries(
    JSON.parse(stdout).map(({ key, loops, onlyHere }: SourceYield) => [key, [loops, onlyHere]]),
  );
  const reportedLoops = (REPORTED * 3) / 4;
  expect(loopsBy).toMatchObject({ hints: [reportedLoops, reportedLoops], flood: [0, 0], first: [0, 0], small: [0, 0] });
  // Step 2 reads the peers of the third server of the chain.
  expect(loopsBy['met 2']).toEqual([HIDDEN_LOOPS, HIDDEN_LOOPS]);
});

interface SourceYield {
  key: string;
  loops: number | null;
  onlyHere: number | null;
}

/** All visits in order of recording. */
function visitsIn(path: string): { domain: string; verdict: string }[] {
  const database = new Database(path, { readonly: true });
  try {
    const select = 'select d.domain, v.verdict from visits v join domains d on d.id = v.domain_id order by v.id';
    return database.prepare(select).all() as { domain: string; verdict: string }[];
  } finally {
    database.close();
  }
}

/**
 * Domains reported as Loops come first. The remaining sources alternate, so a small one does not wait for a large one that was
 * read first.
 */
function expectPriorities(
  visited: readonly string[],
  groups: Record<'reported' | 'small' | 'first' | 'large', string[]>,
): void {
  const rank = new Map(visited.map((domain, index) => [domain, index]));
  const ranks = (group: keyof typeof groups) => {
    const found = groups[group].map((domain) => rank.get(domain) ?? expect.fail(`${domain} was not visited`));
    return found.sort((a, b) => a - b);
  };
  const median = (sorted: readonly number[]) => sorted[sorted.length >> 1] ?? Number.NaN;
  const [reported, small, first, large] = [ranks('reported'), ranks('small'), ranks('first'), ranks('large')];
  expect(reported.at(-1)).toBeLessThan(100);
  expect(median(reported)).toBeLessThan(median(small));
  expect(small.at(-1)).toBeLessThan(200);
  // The sources `first` (100 hosts) and `large` alternate: `first` is visited completely within about 300 visits.
  expect(first.at(-1)).toBeLessThan(350);
  expect(large.filter((position) => position < 200).length).toBeGreaterThan(40);
  expect(median(first)).toBeLessThan(median(large));
}
