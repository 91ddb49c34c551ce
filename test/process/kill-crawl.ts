import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { brokenFiles } from './broken-files.ts';
import { createFleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';

export interface KillLoop {
  hosts: number;
  kills: number;
  /** Most crawls are killed after a random number of requests up to this. `kills * maxRequests` must be less than the requests of a full crawl. */
  maxRequests: number;
}

export interface KillLoopReport {
  /** Kills that hit a running crawl. */
  killsDuringCrawl: number;
  /** The number of visited domains after each kill. */
  visitsAtKills: number[];
  /** Domains that were being visited, or whose result was not recorded yet, at all kills together. */
  inProgressAtKills: number;
  /** Visits that were begun once more, by the requests that the hosts received. */
  repeated: number;
}

/**
 * Crawls a fleet, killing the process with SIGKILL at random moments, then lets a last crawl finish. Asserts after each kill that
 * the database is sound and every exported file complete, and at the end that each domain has exactly one completed visit, and that no more
 * visits were repeated than were in progress at the kills.
 */
export async function killCrawl({ hosts, kills, maxRequests }: KillLoop): Promise<KillLoopReport> {
  await using fleet = await createFleet({ hosts });
  using home = createFleetHome(fleet);
  const crawl = ['crawl', '--config', home.settingsFile];
  const visitsAtKills: number[] = [];
  let [killsDuringCrawl, inProgressAtKills] = [0, 0];

  for (let kill = 0; kill < kills; kill++) {
    const onStart = async (crawler: ChildProcess) => {
      const killAtRequests = fleet.requests.total + Math.ceil(Math.random() * maxRequests);
      // Every fourth crawl is killed near its start, where it opens the database and sends no requests yet.
      while (kill % 4 !== 3 && fleet.requests.total < killAtRequests && crawler.exitCode === null) await setTimeout(10);
      // Some are killed after their first results are recorded, which takes a quarter of a second.
      await setTimeout(Math.random() * ([100, 500, 100, 1_000][kill % 4] ?? 0));
      crawler.kill('SIGKILL');
    };
    const { code } = await runCli(crawl, { onStart });
    if (code === null) killsDuringCrawl++;
    expect(brokenFiles(home.exportDir)).toEqual([]);
    if (!existsSync(home.database)) continue;
    visitsAtKills.push(readVisits(home.database).length);
    inProgressAtKills += countInProgress(home.database);
  }

  // Domains whose visits were cut off several times in a row wait for some seconds.
  for (let rest = 0; rest < 60 && readVisits(home.database).length < fleet.hosts.length; rest++) {
    const last = await runCommand(crawl);
    expect(last.code, last.stderr).toBe(0);
    await setTimeout(1_000);
  }
  const visited = readVisits(home.database);
  expect(visited.map(({ domain }) => domain).sort()).toEqual(fleet.hosts.map(({ domain }) => domain).sort());
  expect(visited.filter(({ visits }) => visits !== 1)).toEqual([]);
  expect(brokenFiles(home.exportDir)).toEqual([]);
  expect(readdirSync(home.exportDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  const again = await runCommand([...crawl, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ visited: 0, domains: { due: 0 } });
  const repeated = fleet.hosts.reduce(
    (sum, { domain }) => sum + Math.max(0, fleet.requests.count(domain, '/robots.txt') - 1),
    0,
  );
  expect(repeated).toBeLessThanOrEqual(inProgressAtKills);
  return { killsDuringCrawl, visitsAtKills, inProgressAtKills, repeated };
}

function countInProgress(path: string): number {
  const database = new Database(path, { readonly: true });
  try {
    const hasTable = database.prepare("select 1 from sqlite_schema where name = 'in_progress'").get() !== undefined;
    return hasTable ? Number(database.prepare('select count(*) from in_progress').pluck().get()) : 0;
  } finally {
    database.close();
  }
}

function readVisits(path: string): { domain: string; visits: number }[] {
  const database = new Database(path, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const hasTables = database.prepare("select 1 from sqlite_schema where name = 'visits'").get() !== undefined;
    if (!hasTables) return [];
    return database
      .prepare('select d.domain, count(*) as visits from visits v join domains d on d.id = v.domain_id group by d.id')
      .all() as { domain: string; visits: number }[];
  } finally {
    database.close();
  }
}
