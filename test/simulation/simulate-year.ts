import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type App, createApp, createLogger } from '../../src/app/app.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import { createService } from '../../src/service/service.ts';
import { type RunTask, runInline, type Tasks } from '../../src/service/tasks/tasks.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { compact } from '../../src/store/retention/compact.ts';
import { createDraw } from './draw.ts';
import { type Clock, createWorldIdentifier, type Told } from './visits.ts';
import { createWorld, DAY, HOUR, type World, YEAR } from './world.ts';

export interface SimulatedYear extends Disposable {
  world: World;
  told: ReadonlyMap<Domain, readonly Told[]>;
  database: string;
  exportDir: string;
  /** Milliseconds of each visit after it was due, our own downtime left out; the longest, and whose. */
  longestLateMs: number;
  /** What was due when we came back, and how long it took until nothing was. */
  afterDowntime: { due: number; drainedMs: number; mostIn10Minutes: number };
  visits: number;
  seconds: number;
  bytes: number;
}

export interface YearOptions {
  hosts: number;
  seed: number;
  visitsPerSecond?: number;
  days?: number;
  /** Called once a simulated day, when its work is done, with the time. */
  onDay?: (at: number, day: number, app: App) => Promise<void> | void;
  /** Called after each pass, every ten minutes at most, with the time. */
  onPass?: (at: number, app: App) => Promise<void> | void;
  /** How often the datasets are written; none: never. */
  exportEveryDays?: number;
}

/** Compaction leaves pauses for a crawl beside it; here there is none. */
const background: RunTask = async (name, input, signal) => {
  if (name !== 'compact') return await runInline(name, input, signal);
  const { database, at, retention } = input as Parameters<Tasks['compact']>[0];
  return (await compact({ path: database, at, retention, signal, pause: async () => {} })) as never;
};

/** What runs once in so long when nothing is in the way. */
const TICK_MS = 10 * 60_000;

/** Runs the whole service over a made-up year of a made-up world, with the clock in hand. */
export async function simulateYear(options: YearOptions): Promise<SimulatedYear> {
  const { hosts, seed, visitsPerSecond = 20, days = 365, onDay, onPass, exportEveryDays = 30 } = options;
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-year-'));
  const start = Date.UTC(2025, 0, 1);
  const world = createWorld({ hosts, seed, start });
  const clock: Clock = { at: start };
  const { identifier, told } = createWorldIdentifier(world, clock, visitsPerSecond);
  const settings = loadSettings({
    file: null,
    env: {},
    cwd: folder,
    flags: {
      database: 'year.sqlite',
      export: { dir: 'export' },
      // The world's clock keeps to the rate: each visit takes its time of it.
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
    connectivity: { isHostAtFault: async () => true },
    background,
  });
  await using service = createService({ app, now, clock: now });
  app.store.enter(
    world.hosts.map(({ domain }) => domain),
    start,
  );

  const look = new Database(settings.database, { readonly: true });
  const countDue = look.prepare('select count(*) from domains where next_visit <= ?').pluck();
  const afterDowntime = { due: 0, drainedMs: 0, mostIn10Minutes: 0 };
  const countTold = () => [...told.values()].reduce((sum, list) => sum + list.length, 0);

  for (let day = 0; day < days; day++) {
    const endOfDay = start + (day + 1) * DAY;
    while (clock.at < endOfDay) {
      const { from, to } = world.downtime;
      if (clock.at >= from && clock.at < to) {
        clock.at = to;
        afterDowntime.due = Number(countDue.get(to));
        await service.jobs.crawl();
        afterDowntime.drainedMs = clock.at - to;
        afterDowntime.mostIn10Minutes = mostIn10Minutes(told, to, clock.at);
        continue;
      }
      await service.jobs.crawl();
      await onPass?.(now(), app);
      clock.at = Math.max(clock.at, Math.min((Math.floor(clock.at / TICK_MS) + 1) * TICK_MS, endOfDay));
    }
    await service.jobs.compact();
    if (exportEveryDays > 0 && day % exportEveryDays === 0) await service.jobs.export();
    await onDay?.(now(), day, app);
  }
  const longestLateMs = longestLate(look, world);
  look.close();
  await service.stop();
  return {
    world,
    told,
    database: settings.database,
    exportDir: settings.export.dir,
    longestLateMs,
    afterDowntime,
    visits: countTold(),
    seconds: (performance.now() - startedAt) / 1_000,
    bytes: statSync(settings.database).size,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Each visit against the time that the one before it set; what fell into our downtime was due when that was over. */
function longestLate(database: Database.Database, { start, downtime }: World): number {
  return Number(
    database
      .prepare(
        `select max(at - case when due <= :to and at >= :to then :to else due end) from (
           select at, lag(next_visit) over (partition by domain_id order by at) as due from visits
         ) where due > :start`,
      )
      .pluck()
      .get({ to: downtime.to, start: start + DAY }),
  );
}

function mostIn10Minutes(told: ReadonlyMap<Domain, readonly Told[]>, from: number, to: number): number {
  const counts = new Map<number, number>();
  for (const list of told.values())
    for (const { at } of list) {
      if (at < from || at > to) continue;
      const slice = Math.floor(at / (10 * 60_000));
      counts.set(slice, (counts.get(slice) ?? 0) + 1);
    }
  return Math.max(0, ...counts.values());
}

export { DAY, HOUR, YEAR };
