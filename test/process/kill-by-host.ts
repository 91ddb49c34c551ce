import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createFleet } from '../../src/reference/index.ts';
import { createFleetHome } from './fleet-home.ts';
import { startService } from './start-service.ts';

export interface DeadlyHostReport {
  /** The wait of the deadly host after each kill but the last, in milliseconds. */
  waits: number[];
  /** The other hosts without exactly one recorded visit. */
  othersNotVisitedOnce: string[];
}

/**
 * Kills `run` with SIGKILL whenever it contacts a certain host, as if the visit had crashed it, and starts it again; then lets it visit the
 * others.
 */
export async function killByHost({ hosts, kills }: { hosts: number; kills: number }): Promise<DeadlyHostReport> {
  await using fleet = await createFleet({ hosts, mix: { loops: 2, mastodon: 1 }, delayMs: [20, 60] });
  using home = createFleetHome(fleet, { jobs: { crawl: '* * * * * *' } });
  // The wait of a domain depends on its id; this one has short waits, from half a second on.
  const deadly = fleet.hosts[33]?.domain ?? '';
  const waits: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await using service = await startService(['--config', home.settingsFile], { untilReady: false });
    const before = fleet.requests.count(deadly);
    while (fleet.requests.count(deadly) === before && service.child.exitCode === null) await delay(2);
    await service.end('SIGKILL');
    if (kill > 0) waits.push(waitOf(home.database, deadly));
  }
  await using service = await startService(['--config', home.settingsFile]);
  const others = fleet.hosts.map(({ domain }) => domain).filter((domain) => domain !== deadly);
  const notVisitedOnce = () => {
    const counts = countVisits(home.database);
    return others.filter((domain) => counts.get(domain) !== 1);
  };
  const deadline = performance.now() + 60_000;
  while (notVisitedOnce().length > 0 && performance.now() < deadline) await delay(100);
  await service.end('SIGTERM');
  return { waits, othersNotVisitedOnce: notVisitedOnce() };
}

/** The wait since the start of the last process, which counted the crash of the one before; 0 when the domain stayed due. */
function waitOf(path: string, domain: string): number {
  using database = openForReading(path);
  const { since } = JSON.parse(
    String(database.sql.prepare("select value from metadata where key = 'crawler'").pluck().get()),
  );
  const nextVisit = Number(database.sql.prepare('select next_visit from domains where domain = ?').pluck().get(domain));
  return Math.max(0, nextVisit - since);
}

function countVisits(path: string): ReadonlyMap<string, number> {
  using database = openForReading(path);
  const counts = database.sql
    .prepare('select domain, count(*) from visits join domains on domains.id = domain_id group by domain')
    .raw();
  return new Map(counts.all() as [string, number][]);
}

function openForReading(path: string): Disposable & { sql: Database.Database } {
  const sql = new Database(path, { readonly: true });
  return { sql, [Symbol.dispose]: () => sql.close() };
}
