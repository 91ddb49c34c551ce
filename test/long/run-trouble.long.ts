import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect as globalExpect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { repository, run } from '../process/run-cli.ts';
import { startService } from '../process/start-service.ts';

/** Hosts become due again half a minute after each visit. */
const frequentVisits = {
  cadence: { loopsHours: 0.01, otherHours: 0.01 },
  jobs: { crawl: '* * * * * *', export: '0 0 1 1 *' },
};
const mix = { loops: 2, mastodon: 1 };
const DAY = 86_400_000;

interface VisitCounts {
  visits: number;
  domains: number;
  duplicates: number;
}

function withDatabase<Result>(path: string, work: (database: Database.Database) => Result): Result {
  const database = new Database(path, { readonly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function countVisits(path: string): VisitCounts {
  return withDatabase(path, (database) => {
    globalExpect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const sql = `select count(*) as visits, count(distinct domain_id) as domains,
      count(*) - (select count(*) from (select distinct domain_id, at from visits)) as duplicates from visits`;
    return database.prepare(sql).get() as VisitCounts;
  });
}

/** The target of a link; empty when the link is gone. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

describe.concurrent('the service', () => {
  test('reports a full disk, keeps running, continues when there is space, and loses nothing', async ({ expect }) => {
    await using fleet = await createFleet({ hosts: 400, log: false, mix });
    using home = createFleetHome(fleet, frequentVisits);
    mkdirSync(join(home.folder, 'data'));
    // A file size limit looks like a disk quota to the process: 800 blocks of 1 KiB, enough for the names of the hosts; lifted later.
    const settings = `--config "${home.settingsFile}" --set serve.port=0 --json`;
    const command = `ulimit -S -f 800; exec "${process.execPath}" "${repository}src/cli.ts" run ${settings}`;
    const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    const messages: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => messages.push(line));
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'close')]);
    const { health } = JSON.parse(String(line));
    try {
      await expect
        .poll(() => messages.some((text) => /disk or a quota is full; free some/.test(text)), POLL)
        .toBe(true);
      const unhealthy = await fetch(health);
      expect(unhealthy.status).toBe(503);
      expect(JSON.stringify(await unhealthy.json())).toContain('disk or a quota is full');
      const before = countVisits(home.database);
      expect(before.domains).toBeLessThan(400);
      await run('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
      await expect.poll(() => countVisits(home.database).domains, { timeout: 90_000, interval: 1_000 }).toBe(400);
      await expect.poll(async () => (await fetch(health)).status, POLL).toBe(200);
      expect(countVisits(home.database).duplicates).toBe(0);
    } finally {
      child.kill('SIGTERM');
    }
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  test('reports that another process locks the database, keeps answering, and records each visit once', async ({
    expect,
  }) => {
    await using fleet = await createFleet({ hosts: 80, log: false, mix, delayMs: [50, 300] });
    using home = createFleetHome(fleet, { ...frequentVisits, queue: { concurrency: 20 } });
    await using service = await startService(['--config', home.settingsFile]);
    await service.waitForLog(({ msg }) => msg === 'visit');
    const lockHolder = new Database(home.database);
    lockHolder.exec('begin immediate');
    await service.waitForLog(({ msg }) => msg.includes('stayed locked by another process'));
    for (let answers = 0; answers < 10; answers++)
      expect([200, 503]).toContain((await fetch(service.endpoints.health)).status);
    lockHolder.exec('commit');
    lockHolder.close();
    await expect.poll(() => countVisits(home.database).domains, { timeout: 90_000 }).toBe(80);
    expect((await service.end('SIGTERM')).code).toBe(0);
    const logged = service.log.filter(({ msg }) => msg === 'visit').length;
    expect(countVisits(home.database)).toMatchObject({ visits: logged, duplicates: 0 });
  });

  test('logs clock jumps of a day ahead and back, and no domain starves', async ({ expect }) => {
    await using fleet = await createFleet({ hosts: 60, log: false, mix });
    using home = createFleetHome(fleet, { ...frequentVisits, cadence: { loopsHours: 6, otherHours: 168 } });
    const child = spawn(process.execPath, [`${repository}test/process/change-clock.ts`, home.settingsFile], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const log: { msg: string; byMs?: number; domains?: number }[] = [];
    createInterface({ input: child.stderr }).on('line', (text) => log.push(JSON.parse(text)));
    await once(createInterface({ input: child.stdout }), 'line');
    const jump = (byMs: number) => child.stdin.write(`${byMs}\n`);
    await expect.poll(() => log.filter(({ msg }) => msg === 'visit').length, POLL).toBe(60);

    jump(DAY);
    await expect
      .poll(() => log.find(({ msg }) => msg === 'the clock jumped ahead')?.byMs, POLL)
      .toBeGreaterThan(DAY - 5_000);
    await expect.poll(() => log.filter(({ msg }) => msg === 'visit').length, POLL).toBeGreaterThan(90);
    // Let running visits finish: one recorded after the repair would have the time of the clock that was ahead.
    await delay(3_000);
    // While the clock goes back, another process locks the database for a while.
    const lockHolder = new Database(home.database);
    lockHolder.exec('begin immediate');
    setTimeout(() => {
      lockHolder.exec('commit');
      lockHolder.close();
    }, 4_000);
    jump(-DAY);
    await expect
      .poll(() => log.find(({ msg }) => msg === 'the clock went back')?.byMs, POLL)
      .toBeLessThan(-DAY + 5_000);
    await expect
      .poll(() => log.find(({ msg }) => msg.startsWith('the clock was ahead'))?.domains, POLL)
      .toBeGreaterThan(30);
    const latest = withDatabase(home.database, (database) =>
      database.prepare("select max(next_visit) from domains where identified_as = 'loops'").pluck().get(),
    );
    // The interval of 6 hours, 10 % jitter, and some minutes for the test.
    expect(Number(latest)).toBeLessThan(Date.now() + 6.7 * 3_600_000);
    const ahead = withDatabase(home.database, (database) =>
      database.prepare('select count(*) from domains where last_visit > ?').pluck().get(Date.now()),
    );
    // Recorded visits keep their times.
    expect(Number(ahead)).toBeGreaterThan(0);

    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
    expect(countVisits(home.database).duplicates).toBe(0);
  });

  test('continues when its database and folder become read-only, and exits with 0 and every visit recorded', async ({
    expect,
  }) => {
    await using fleet = await createFleet({ hosts: 150, log: false, mix });
    using home = createFleetHome(fleet, { ...frequentVisits, queue: { visitsPerSecond: 15 } });
    chmodSync(home.folder, 0o755);
    const script = `${repository}test/process/lose-rights.ts`;
    const child = spawn(process.execPath, [script, home.settingsFile], { stdio: ['pipe', 'pipe', 'pipe'] });
    const log: { msg: string; level: number }[] = [];
    createInterface({ input: child.stderr }).on('line', (text) => log.push(JSON.parse(text)));
    await once(createInterface({ input: child.stdout }), 'line');
    const before = countVisits(home.database).visits;
    await expect.poll(() => countVisits(home.database).visits, POLL).toBeGreaterThan(before + 40);
    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
    const logged = log.filter(({ msg }) => msg === 'visit').length;
    expect(countVisits(home.database)).toMatchObject({ visits: logged, duplicates: 0 });
    chmodSync(join(home.folder, 'data'), 0o755);
  });

  test('exits with 0 on SIGTERM under load; running visits are recorded and no new one starts', async ({ expect }) => {
    await using fleet = await createFleet({ hosts: 150, log: false, mix, delayMs: [300, 1_500] });
    using home = createFleetHome(fleet, { ...frequentVisits, queue: { concurrency: 64 } });
    await using service = await startService(['--config', home.settingsFile]);
    await service.waitForLog(() => service.log.filter(({ msg }) => msg === 'visit').length > 30);
    // The process exits by itself, so nothing keeps it alive.
    expect((await service.end('SIGTERM')).code).toBe(0);
    const stoppingAt = service.log.findIndex(({ msg }) => msg.startsWith('stopping'));
    const after = service.log.slice(stoppingAt).filter(({ msg }) => msg === 'visit');
    expect(after.length).toBeGreaterThan(20);
    const stoppedMs = service.log[stoppingAt]?.time ?? 0;
    expect(after.filter(({ at }) => Number(at) > stoppedMs)).toEqual([]);
    const logged = service.log.filter(({ msg }) => msg === 'visit').length;
    expect(countVisits(home.database)).toMatchObject({ visits: logged, duplicates: 0 });
    expect(
      withDatabase(home.database, (database) => database.prepare('select count(*) from in_progress').pluck().get()),
    ).toBe(0);
  });

  test('exits with 0 and without a stack trace when stopped while waiting for the database', async ({ expect }) => {
    await using fleet = await createFleet({ hosts: 2, log: false, mix });
    using home = createFleetHome(fleet, frequentVisits);
    expect((await runCommand(['crawl', '--config', home.settingsFile])).code).toBe(0);
    const lockHolder = new Database(home.database);
    lockHolder.exec('begin immediate');
    await using service = await startService(['--config', home.settingsFile], { untilReady: false });
    // The files that the process has open.
    const descriptors = `/proc/${service.child.pid}/fd`;
    const openFiles = () => readdirSync(descriptors).map((name) => linkOf(join(descriptors, name)));
    await expect.poll(() => openFiles().includes(home.database), { ...POLL, interval: 20 }).toBe(true);
    const { code } = await service.end('SIGTERM');
    lockHolder.close();
    expect([code, service.otherOutput]).toEqual([0, []]);
  });

  test('cancels running visits on a second signal', async ({ expect }) => {
    await using fleet = await createFleet({ hosts: 40, mix: { 'stalls-on-request': 1 } });
    using home = createFleetHome(fleet, { ...frequentVisits, service: { shutdownSeconds: 600 } });
    await using service = await startService(['--config', home.settingsFile]);
    await expect.poll(() => fleet.requests.total, POLL).toBeGreaterThan(40);
    const ending = service.end('SIGTERM');
    await service.waitForLog(({ msg }) => msg.startsWith('stopping'));
    // A second signal within half a second is ignored.
    await delay(800);
    service.child.kill('SIGTERM');
    expect((await ending).code).toBe(0);
    const { stdout } = await runCommand([
      'explain',
      fleet.hosts[0]?.domain ?? '',
      '--json',
      '--config',
      home.settingsFile,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'new', visits: [] });
  });
});

const POLL = { timeout: 60_000, interval: 300 };
