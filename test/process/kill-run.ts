import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createFleet } from '../../src/reference/index.ts';
import { brokenFiles } from './broken-files.ts';
import { createFleetHome } from './fleet-home.ts';
import { startService } from './start-service.ts';

export interface KillRuns {
  hosts: number;
  kills: number;
  /** The longest that a service may work before it is killed. */
  longestMs: number;
  onKill?: (number: number, found: Found) => void;
}

interface Found {
  logged: number;
  visits: number;
}

/** What a loop of kills came to; every list is empty when nothing went wrong. */
export interface KillReport {
  kills: number;
  /** Kills that met the service at its work, with visits logged by it. */
  atWork: number;
  /** Visits that the service said were completed, over all its lives. */
  logged: number;
  /** Visits that the database has. */
  recorded: number;
  lost: string[];
  twice: string[];
  brokenFiles: string[];
  unsound: string[];
  stuck: string[];
}

/**
 * Kills `run` with SIGKILL at random moments under load: hosts come due again and again, and the files are written all the time. After
 * each kill the database must be sound, the files whole, and every visit that was logged as completed recorded once.
 */
export async function killRuns({ hosts, kills, longestMs, onKill }: KillRuns): Promise<KillReport> {
  await using fleet = await createFleet({ hosts, log: false, mix: { loops: 2, mastodon: 1, 'http-500': 1 } });
  // A hundredth of an hour is the shortest interval: every host is due again after half a minute.
  const hours = { loopsHours: 0.01, otherHours: 0.01, serverErrorHours: 0.01, maxHours: 0.01 };
  using home = createFleetHome(fleet, {
    cadence: hours,
    jobs: { crawl: '* * * * * *', export: '*/3 * * * * *' },
  });
  const report: KillReport = {
    kills,
    atWork: 0,
    logged: 0,
    recorded: 0,
    lost: [],
    twice: [],
    brokenFiles: [],
    unsound: [],
    stuck: [],
  };
  const logged = new Set<string>();

  for (let kill = 0; kill < kills; kill++) {
    await using service = await startService(['--config', home.settingsFile], { untilReady: false });
    // Each fourth time it is killed as it starts, else some time after its first visit.
    const isEarly = kill % 4 === 0;
    if (!isEarly) await service.seen(({ msg }) => msg === 'visit', 60_000);
    await delay(Math.random() * (isEarly ? 1_500 : longestMs));
    await service.end('SIGKILL');
    const visits = service.log.filter(({ msg }) => msg === 'visit');
    if (visits.length > 0) report.atWork++;
    for (const { domain, at } of visits) logged.add(`${domain} ${at}`);
    report.brokenFiles.push(...brokenFiles(home.exportDir).map((name) => `${name} at kill ${kill}`));
    if (existsSync(home.database)) report.recorded = inspect(home.database, report);
    onKill?.(kill, { logged: logged.size, visits: report.recorded });
  }
  report.logged = logged.size;

  // A last life in which all that is due is visited: what was stuck in a lease would be missing.
  await using service = await startService(['--config', home.settingsFile]);
  const all = new Set<unknown>(fleet.hosts.map(({ domain }) => domain));
  const until = performance.now() + 120_000;
  while (performance.now() < until) {
    for (const { msg, domain } of service.log) if (msg === 'visit') all.delete(domain);
    if (all.size === 0) break;
    await delay(200);
  }
  await service.end('SIGTERM');
  report.stuck = [...all].map(String);
  inspect(home.database, report);
  const recorded = recordedVisits(home.database);
  report.recorded = recorded.length;
  const once = new Set(recorded);
  report.twice = recorded.filter((visit, index) => recorded.indexOf(visit) !== index);
  report.lost = [...logged].filter((visit) => !once.has(visit));
  return report;
}

/** How many visits there are; what is unsound is added to the report. */
function inspect(path: string, report: KillReport): number {
  const database = new Database(path);
  try {
    const integrity = database.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') report.unsound.push(String(integrity));
    const broken = database.pragma('foreign_key_check') as unknown[];
    if (broken.length > 0) report.unsound.push(`${broken.length} rows refer to nothing`);
    const hasVisits = database.prepare("select 1 from sqlite_schema where name = 'visits'").get() !== undefined;
    return hasVisits ? Number(database.prepare('select count(*) from visits').pluck().get()) : 0;
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
