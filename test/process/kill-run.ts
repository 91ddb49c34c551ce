import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createFleet } from '../../src/reference/index.ts';
import { waitAfterCrashesMs } from '../../src/store/domains/pick-domains.ts';
import { brokenFiles } from './broken-files.ts';
import { createFleetHome } from './fleet-home.ts';
import { startService } from './start-service.ts';

export interface KillRuns {
  hosts: number;
  kills: number;
  /** A kill that does not come during the start waits for `VISITS_BEFORE_KILL` visits, then for a random time up to this. */
  maxWaitMs: number;
  onKill?: (number: number, counts: Counts) => void;
}

interface Counts {
  logged: number;
  visits: number;
}

export const VISITS_BEFORE_KILL = 25;
/** The interval between visits to a host: 0.01 hours, the shortest that the settings allow. */
const INTERVAL_MS = 36_000;

/** Result of all kills; every list is empty when nothing went wrong. */
export interface KillReport {
  kills: number;
  /** Kills after the service had logged at least one visit. */
  killsAtWork: number;
  /** Visits that the service logged as completed, over all runs. */
  logged: number;
  /** Visits in the database. */
  recorded: number;
  lost: string[];
  duplicated: string[];
  brokenFiles: string[];
  databaseErrors: string[];
  /** Hosts that are not visited although they are due, or that are due later than their interval and their crashes explain. */
  stuck: string[];
  /** Hosts that wait at the end because their visits were cut off several times in a row, with the number of times. */
  waiting: string[];
}

/**
 * Kills `run` with SIGKILL at random times under load: all hosts are due at each start, and exports run every few seconds.
 * After each kill the database must be sound, the files complete, and every logged visit recorded exactly once.
 */
export async function killRuns({ hosts, kills, maxWaitMs, onKill }: KillRuns): Promise<KillReport> {
  await using fleet = await createFleet({ hosts, log: false, mix: { loops: 2, mastodon: 1, 'http-500': 1 } });
  const cadence = { loopsHours: 0.01, otherHours: 0.01, serverErrorHours: 0.01, maxHours: 0.01 };
  using home = createFleetHome(fleet, {
    cadence,
    jobs: { crawl: '* * * * * *', export: '*/3 * * * * *' },
  });
  const report: KillReport = {
    kills,
    killsAtWork: 0,
    logged: 0,
    recorded: 0,
    lost: [],
    duplicated: [],
    brokenFiles: [],
    databaseErrors: [],
    stuck: [],
    waiting: [],
  };
  const logged = new Set<string>();

  for (let kill = 0; kill < kills; kill++) {
    await using service = await startService(['--config', home.settingsFile], { untilReady: false });
    // Every fourth kill comes while the service starts.
    const isEarly = kill % 4 === 0;
    const visitCount = () => service.log.filter(({ msg }) => msg === 'visit').length;
    if (!isEarly) await service.waitForLog(() => visitCount() >= VISITS_BEFORE_KILL, 60_000);
    await delay(Math.random() * (isEarly ? 1_500 : maxWaitMs));
    await service.end('SIGKILL');
    const visits = service.log.filter(({ msg }) => msg === 'visit');
    if (visits.length > 0) report.killsAtWork++;
    for (const { domain, at } of visits) logged.add(`${domain} ${at}`);
    report.brokenFiles.push(...brokenFiles(home.exportDir).map((name) => `${name} at kill ${kill}`));
    if (existsSync(home.database)) report.recorded = inspectAndMakeDue(home.database, report);
    onKill?.(kill, { logged: logged.size, visits: report.recorded });
  }
  report.logged = logged.size;

  // A last run visits every due domain.
  await using service = await startService(['--config', home.settingsFile]);
  const unvisited = new Set<unknown>(fleet.hosts.map(({ domain }) => domain));
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    for (const { msg, domain } of service.log) if (msg === 'visit') unvisited.delete(domain);
    if (unvisited.size === 0) break;
    await delay(200);
  }
  await service.end('SIGTERM');
  for (const { domain, crashes, waitMs } of waitsOf(home.database)) {
    if (!unvisited.has(domain)) continue;
    if (waitMs > 0 && crashes > 1) report.waiting.push(`${domain} ${crashes}`);
    else report.stuck.push(domain);
  }
  inspectAndMakeDue(home.database, report);
  const recorded = recordedVisits(home.database);
  report.recorded = recorded.length;
  const recordedSet = new Set(recorded);
  report.duplicated = recorded.filter((visit, index) => recorded.indexOf(visit) !== index);
  report.lost = [...logged].filter((visit) => !recordedSet.has(visit));
  return report;
}

/** Returns the number of visits, adds database errors to the report, and makes every domain due, as if the interval were over. */
function inspectAndMakeDue(path: string, report: KillReport): number {
  const database = new Database(path);
  try {
    const integrity = database.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') report.databaseErrors.push(String(integrity));
    const broken = database.pragma('foreign_key_check') as unknown[];
    if (broken.length > 0) report.databaseErrors.push(`${broken.length} broken foreign keys`);
    const hasVisits = database.prepare("select 1 from sqlite_schema where name = 'visits'").get() !== undefined;
    if (!hasVisits) return 0;
    for (const { domain, crashes, waitMs } of waitsOf(path))
      if (waitMs > 2 * Math.max(INTERVAL_MS, waitAfterCrashesMs(crashes)))
        report.stuck.push(`${domain} is due too late`);
    database.prepare('update domains set next_visit = @now where next_visit > @now').run({ now: Date.now() });
    return Number(database.prepare('select count(*) from visits').pluck().get());
  } finally {
    database.close();
  }
}

function waitsOf(path: string): { domain: string; crashes: number; waitMs: number }[] {
  const database = new Database(path, { readonly: true });
  try {
    const waits = database.prepare('select domain, crashes, next_visit - ? as waitMs from domains');
    return waits.all(Date.now()) as { domain: string; crashes: number; waitMs: number }[];
  } finally {
    database.close();
  }
}

function recordedVisits(path: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    const rows = database.prepare('select domain, at from visits join domains on domains.id = domain_id').all();
    return (rows as { domain: string; at: number }[]).map(({ domain, at }) => `${domain} ${at}`);
  } finally {
    database.close();
  }
}
