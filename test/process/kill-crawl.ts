import { existsSync, readdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { brokenFiles } from './broken-files.ts';
import { createFleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';

export interface KillLoop {
  hosts: number;
  kills: number;
  /** Longest run time before a kill, in milliseconds. */
  longestMs: number;
}

/**
 * Crawls a fleet, killing the process with SIGKILL at random times, then lets a last crawl finish. Asserts after each kill that
 * the database is sound and every exported file complete, and at the end that each domain has exactly one completed visit.
 * Returns how many kills hit a running crawl, and the number of visited domains after each kill.
 */
export async function killCrawl({
  hosts,
  kills,
  longestMs,
}: KillLoop): Promise<{ landed: number; visitsAtKills: number[] }> {
  await using fleet = await createFleet({ hosts, log: false });
  using home = createFleetHome(fleet);
  const crawl = ['crawl', '--config', home.settingsFile];
  const visitsAtKills: number[] = [];
  let landed = 0;

  for (let kill = 0; kill < kills; kill++) {
    const afterMs = 150 + Math.random() * longestMs;
    const { code } = await runCli(crawl, { onStart: (child) => setTimeout(() => child.kill('SIGKILL'), afterMs) });
    if (code === null) landed++;
    expect(brokenFiles(home.exportDir)).toEqual([]);
    if (existsSync(home.database)) visitsAtKills.push(readVisits(home.database).length);
  }

  const last = await runCli(crawl);
  expect(last.code, last.stderr).toBe(0);
  const visited = readVisits(home.database);
  expect(visited.map(({ domain }) => domain).sort()).toEqual(fleet.hosts.map(({ domain }) => domain).sort());
  expect(visited.filter(({ visits }) => visits !== 1)).toEqual([]);
  expect(brokenFiles(home.exportDir)).toEqual([]);
  expect(readdirSync(home.exportDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  const again = await runCli([...crawl, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ visited: 0, domains: { due: 0, leased: 0 } });
  return { landed, visitsAtKills };
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
