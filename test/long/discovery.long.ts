import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createFleet, type HostRow } from '../../src/reference/index.ts';
import { closedPort } from '../http/loopback.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { runCli } from '../process/run-cli.ts';

const HOSTS = 3_000;
const HIDDEN = 12;
const HINTED = 40;
const SMALL = 30;
const LISTED = 900;

const names = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${kind}-${String(index + 1).padStart(4, '0')}.example`);

/** A host that answers one path with a document. */
const publishing = (name: string, kind: string, route: string, document: unknown): HostRow => {
  return { name, kind, faults: [{ route, fault: 'status', status: 200, body: JSON.stringify(document) }] };
};

test('in a fleet of 3,000 whose sources point at each other, 12 Loops servers behind a chain of three sources are found, and visits keep the order of priorities', async () => {
  const port = await closedPort();
  const at = (name: string) => `${name}:${port}`;
  const [hidden, hinted, small] = [names('hidden', HIDDEN), names('hinted', HINTED), names('small', SMALL)];
  const chain = ['first.example', 'second.example', 'third.example'];
  const others = names('other', HOSTS - HIDDEN - HINTED - SMALL - chain.length);
  const [byFirst, flood] = [others.slice(0, LISTED), others.slice(LISTED)];
  const peers = (...lists: string[][]) => lists.flat().map(at);
  const rows: HostRow[] = [
    ...hidden.map((name): HostRow => ({ name, kind: 'loops' })),
    ...hinted.map((name, index): HostRow => ({ name, kind: index % 4 === 0 ? 'mastodon' : 'loops' })),
    ...small.map((name): HostRow => ({ name, kind: 'other-by-config' })),
    ...others.map((name, index): HostRow => ({ name, kind: index % 20 === 0 ? 'mastodon' : 'other-by-config' })),
    publishing(
      'first.example',
      'mastodon',
      '/api/v1/instance/peers',
      peers(byFirst, ['second.example', 'first.example']),
    ),
    publishing(
      'second.example',
      'mastodon',
      '/api/v1/instance/peers',
      peers(['first.example', 'third.example'], byFirst.slice(0, 50)),
    ),
    publishing(
      'third.example',
      'mastodon',
      '/api/v1/instance/peers',
      peers(['second.example', 'first.example'], hidden),
    ),
  ];
  await using fleet = await createFleet({ file: { hosts: rows, port }, log: false });
  expect(fleet.hosts).toHaveLength(HOSTS);
  using home = createFleetHome(fleet, { queue: { concurrency: 16, perRegistrableDomain: 0 } });
  writeFileSync(join(home.folder, 'flood.txt'), peers(flood).join('\n'));
  writeFileSync(join(home.folder, 'small.txt'), peers(small).join('\n'));
  // Files are in before the first visit begins; lists from the web come in meanwhile.
  const hints = [
    ...hinted.map((name) => ({ domain: at(name), software: 'loops' })),
    { domain: at('first.example'), software: 'mastodon' },
  ];
  writeFileSync(join(home.folder, 'hints.json'), JSON.stringify(hints));
  const web = { pauseSeconds: 0 };
  const settings = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  settings.sources = [
    { type: 'file', id: 'flood', path: 'flood.txt' },
    { type: 'mastodon-peers', id: 'first', url: `https://${at('first.example')}`, ...web },
    { type: 'file', id: 'small', path: 'small.txt' },
    { type: 'file', id: 'hints', path: 'hints.json', softwareKey: 'software' },
    { type: 'crawled', id: 'met', peers: true, depth: 3, servers: 1_000 },
  ];
  writeFileSync(home.settingsFile, JSON.stringify(settings));

  // Each pass asks whom the servers know that the one before has met: a step of the chain further.
  for (const pass of [1, 2, 3, 4]) {
    const { code, stdout, stderr } = await runCli([
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
    expect(hidden.filter((name) => loops.has(at(name))).length, `after pass ${pass}`).toBe(pass < 3 ? 0 : HIDDEN);
    if (pass === 1)
      expectPriorities(
        visits.map(({ domain }) => domain),
        {
          hinted: hinted.map(at),
          small: small.map(at),
          first: byFirst.map(at),
          flood: flood.map(at),
        },
      );
    // Sources that name each other lead nowhere new: every host was visited once.
    if (pass === 4) {
      expect(visits).toHaveLength(HOSTS);
      expect(new Set(visits.map(({ domain }) => domain)).size).toBe(HOSTS);
    }
  }
  const { stdout } = await runCli(['sources', '--json', '--config', home.settingsFile]);
  const loopsBy = Object.fromEntries(
    JSON.parse(stdout).map(({ key, loops, onlyHere }: Yield) => [key, [loops, onlyHere]]),
  );
  const runLoops = (HINTED * 3) / 4;
  expect(loopsBy).toMatchObject({ hints: [runLoops, runLoops], flood: [0, 0], first: [0, 0], small: [0, 0] });
  expect(loopsBy['met 2']).toEqual([HIDDEN, HIDDEN]);
});

interface Yield {
  key: string;
  loops: number | null;
  onlyHere: number | null;
}

/** Every visit in the order of recording. */
function visitsIn(path: string): { domain: string; verdict: string }[] {
  const database = new Database(path, { readonly: true });
  try {
    const select = 'select d.domain, v.verdict from visits v join domains d on d.id = v.domain_id order by v.id';
    return database.prepare(select).all() as { domain: string; verdict: string }[];
  } finally {
    database.close();
  }
}

/** Who is said to be Loops comes first; among the rest sources take turns, so that a small one need not wait for a flood that was read before it. */
function expectPriorities(
  visited: readonly string[],
  groups: Record<'hinted' | 'small' | 'first' | 'flood', string[]>,
): void {
  const rank = new Map(visited.map((domain, index) => [domain, index]));
  const ranks = (group: keyof typeof groups) => {
    const found = groups[group].map((domain) => rank.get(domain) ?? expect.fail(`${domain} was not visited`));
    return found.sort((one, other) => one - other);
  };
  const median = (of: readonly number[]) => of[of.length >> 1] ?? Number.NaN;
  const [hinted, small, first, flood] = [ranks('hinted'), ranks('small'), ranks('first'), ranks('flood')];
  expect(hinted.at(-1)).toBeLessThan(200);
  expect(median(hinted)).toBeLessThan(median(small));
  expect(small.at(-1)).toBeLessThan(300);
  // Turn by turn, half of the first two thousand are of the smaller of two lists, and the flood has the rest to itself.
  expect(first.at(-1)).toBeLessThan(2_200);
  expect(flood.filter((place) => place < 1_000).length).toBeGreaterThan(300);
  expect(median(first)).toBeLessThan(median(flood));
}
