import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, vi } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { brokenFiles } from './broken-files.ts';
import { createFleetHome } from './fleet-home.ts';
import { runCli } from './run-cli.ts';
import { findVisitProcesses } from './visit-processes.ts';

export interface KillLoop {
  hosts: number;
  kills: number;
  /** Most crawls are killed after a random number of requests up to this. `kills * maxRequests` must be less than the requests of a full crawl. */
  maxRequests: number;
  /** Child processes for visits. Some of them are killed too. Default: 0. */
  processes?: number;
}

/**
 * Crawls a fleet, killing the process with SIGKILL at random moments, then lets a last crawl finish. Asserts after each kill that
 * the database is sound and every exported file complete, and at the end that each domain has exactly one completed visit.
 * Returns how many kills hit a running crawl, the number of visited domains after each kill, and how many children were killed.
 */
export async function killCrawl({
  hosts,
  kills,
  maxRequests,
  processes = 0,
}: KillLoop): Promise<{ killsDuringCrawl: number; visitsAtKills: number[]; childKills: number }> {
  await using fleet = await createFleet({ hosts });
  using home = createFleetHome(fleet, { queue: { processes } });
  const crawl = ['crawl', '--config', home.settingsFile];
  const visitsAtKills: number[] = [];
  let killsDuringCrawl = 0;
  let childKills = 0;

  for (let kill = 0; kill < kills; kill++) {
    let children: number[] = [];
    const onStart = async (crawler: ChildProcess) => {
      const killAtRequests = fleet.requests.total + Math.ceil(Math.random() * maxRequests);
      if (processes > 0) {
        const [victim] = await waitForVisitProcesses(crawler);
        await setTimeout(Math.random() * 300);
        if (victim !== undefined && isRunning(victim)) {
          process.kill(victim, 'SIGKILL');
          childKills += 1;
        }
      }
      // Every fourth crawl is killed near its start, where it opens the database and sends no requests yet.
      while (kill % 4 !== 3 && fleet.requests.total < killAtRequests && isRunning(crawler.pid ?? 0))
        await setTimeout(10);
      await setTimeout(Math.random() * (kill % 4 === 3 ? 1_000 : 100));
      children = processes > 0 ? findVisitProcesses(crawler.pid ?? 0) : [];
      crawler.kill('SIGKILL');
    };
    const { code } = await runCli(crawl, { onStart });
    if (code === null) killsDuringCrawl++;
    await vi.waitFor(() => expect(children.filter(isRunning)).toEqual([]), { timeout: 5_000 });
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
  return { killsDuringCrawl, visitsAtKills, childKills };
}

/** Waits until a crawl has child processes, and returns their ids. Empty if the crawl ends without any. */
async function waitForVisitProcesses(crawler: ChildProcess): Promise<number[]> {
  while (crawler.exitCode === null && crawler.signalCode === null) {
    const children = findVisitProcesses(crawler.pid ?? 0);
    if (children.length > 0) return children;
    await setTimeout(50);
  }
  return [];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
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
