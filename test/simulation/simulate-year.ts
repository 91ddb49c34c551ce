import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createApp } from '../../src/app/app.ts';
import { createLogger } from '../../src/logger.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import type { Crawler } from '../../src/service/crawler.ts';
import { Service } from '../../src/service/service.ts';
import { type RunTask, runInline, type Tasks } from '../../src/service/tasks/tasks.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { compact } from '../../src/store/retention/compact.ts';
import { createDraw } from './draw.ts';
import { type Clock, createWorldIdentifier, type SimulatedVisit } from './visits.ts';
import { createWorld, DAY, type World } from './world.ts';

export interface SimulatedYear extends Disposable {
  world: World;
  visitLog: ReadonlyMap<Domain, readonly SimulatedVisit[]>;
  /** Path of the database. */
  database: string;
  exportDir: string;
  /** The longest delay of a visit after its due time, in milliseconds; simulated downtime is excluded. */
  longestDelayMs: number;
  /** The domains due at the end of the downtime, the time until none was due, and the visits in the busiest ten minutes of that time. */
  afterDowntime: { due: number; drainedMs: number; mostIn10Minutes: number };
  visits: number;
  /** Real duration of the simulation. */
  seconds: number;
  /** Size of the database. */
  bytes: number;
}

export interface YearOptions {
  hosts: number;
  seed: number;
  visitsPerSecond?: number;
  days?: number;
  /** Called at the end of each simulated day. */
  onDay?: (at: number, day: number, app: Crawler) => Promise<void> | void;
  /** Called every ten minutes; if a domain was due, after the crawl pass. */
  onPass?: (at: number, app: Crawler) => Promise<void> | void;
  /** Days between exports; 0 disables them. */
  exportEveryDays?: number;
}

/** Runs tasks inline. Compaction does not pause, because no crawl runs at the same time. */
const background: RunTask = async (name, input, signal) => {
  if (name !== 'compact') return await runInline(name, input, signal);
  const { database, at, retention } = input as Parameters<Tasks['compact']>[0];
  return (await compact({ path: database, at, retention, signal, pause: async () => {} })) as never;
};

/** Interval between passes; a pass of many visits can take longer. */
const TICK_MS = 10 * 60_000;

/** Runs the service over a year in a simulated world, with a simulated clock. */
export async function simulateYear(options: YearOptions): Promise<SimulatedYear> {
  const { hosts, seed, visitsPerSecond = 20, days = 365, onDay, onPass, exportEveryDays = 30 } = options;
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-year-'));
  const start = Date.UTC(2025, 0, 1);
  const world = createWorld({ hosts, seed, start });
  const clock: Clock = { at: start };
  const { identifier, visitLog } = createWorldIdentifier(world, clock, visitsPerSecond);
  const settings = loadSettings({
    file: null,
    env: {},
    cwd: folder,
    flags: {
      database: 'year.sqlite',
      export: { dir: 'export' },
      // The simulated clock enforces the visit rate itself.
      queue: { visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0 },
      network: { dnsServers: ['127.0.0.1:1'] },
      log: { level: 'error' },
    },
  });
  const now = () => Math.floor(clock.at);
  await using app = await createApp(settings, createLogger({ level: 'error', stream: process.stderr }), {
    now,
    clock: now,
    random: createDraw(seed + 1),
    identifier,
    connectivity: { isHostAtFault: async () => true, hasOtherAnswered: () => true },
    background,
  });
  await using service = new Service(app, { now, clock: now });
  app.store.domains.enter(
    world.hosts.map(({ domain }) => domain),
    start,
  );

  const sqlite = new Database(settings.database, { readonly: true });
  const countDue = sqlite.prepare('select count(*) from domains where next_visit <= ?').pluck();
  const afterDowntime = { due: 0, drainedMs: 0, mostIn10Minutes: 0 };
  const countVisits = () => [...visitLog.values()].reduce((sum, list) => sum + list.length, 0);

  for (let day = 0; day < days; day++) {
    const endOfDay = start + (day + 1) * DAY;
    while (clock.at < endOfDay) {
      const { from, to } = world.downtime;
      if (clock.at >= from && clock.at < to) {
        clock.at = to;
        afterDowntime.due = Number(countDue.get(to));
        await service.crawl();
        afterDowntime.drainedMs = clock.at - to;
        afterDowntime.mostIn10Minutes = mostIn10Minutes(visitLog, to, clock.at);
        continue;
      }
      // A pass without due domains changes nothing, and in a small world most passes have none.
      if (Number(countDue.get(now())) > 0) await service.crawl();
      await onPass?.(now(), app);
      const nextTick = (Math.floor(clock.at / TICK_MS) + 1) * TICK_MS;
      // A crawl may have moved the clock past the end of the day.
      clock.at = Math.max(clock.at, Math.min(nextTick, endOfDay));
    }
    await service.compact();
    if (exportEveryDays > 0 && day % exportEveryDays === 0) await service.export();
    await onDay?.(now(), day, app);
  }
  const longestDelayMs = readLongestDelay(sqlite, world);
  sqlite.close();
  await service.stop();
  return {
    world,
    visitLog,
    database: settings.database,
    exportDir: settings.export.dir,
    longestDelayMs,
    afterDowntime,
    visits: countVisits(),
    seconds: (performance.now() - startedAt) / 1_000,
    bytes: statSync(settings.database).size,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Compares each visit with the due time that the previous visit set, from the second day. Visits due during the downtime count as due at
 * its end.
 */
function readLongestDelay(database: Database.Database, { start, downtime }: World): number {
  return Number(
    database
      .prepare(
        `select max(at - case when due <= :to and at >= :to then :to else due end) from (
           select at, lag(next_visit) over (partition by domain_id order by at) as due from visits
         ) where due > :secondDay`,
      )
      .pluck()
      .get({ to: downtime.to, secondDay: start + DAY }),
  );
}

/** The number of visits in the busiest ten minutes between two times. */
function mostIn10Minutes(visitLog: ReadonlyMap<Domain, readonly SimulatedVisit[]>, from: number, to: number): number {
  const counts = new Map<number, number>();
  for (const list of visitLog.values())
    for (const { at } of list) {
      if (at < from || at > to) continue;
      const slice = Math.floor(at / (10 * 60_000));
      counts.set(slice, (counts.get(slice) ?? 0) + 1);
    }
  return Math.max(0, ...counts.values());
}

export { DAY };
