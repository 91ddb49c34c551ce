import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import type { Identifier } from '../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../src/identify/visit-builder.ts';
import { createLogger } from '../../src/logger.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { Crawler } from '../../src/service/crawler.ts';
import { Service } from '../../src/service/service.ts';
import { type SourceReport, skippedReport } from '../../src/service/sources/run-source.ts';
import { type RunTask, runInline } from '../../src/service/tasks/tasks.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { SourceSettings } from '../../src/sources/kinds/registry.ts';
import { StoreError } from '../../src/store/sqlite/store-error.ts';
import { loopsVisit } from '../store/sample-visit.ts';
import { refuseInserts, scratchPath, withSqlite } from '../store/scratch.ts';

const MINUTE = 60_000;

/** A service with a stubbed identifier and a manual clock, the visited names, its log lines, and the names of its background tasks. */
async function createTestService(flags: object = {}, overrides: { background?: RunTask } = {}) {
  const time = { ms: Date.UTC(2026, 0, 1) };
  const now = () => time.ms;
  const identified: string[] = [];
  const identifier: Identifier = {
    resolve: async (domain) => ({ builder: createVisitBuilder(domain, now, now), addresses: [] }),
    identify: async ({ builder }) => {
      identified.push(builder.domain);
      return loopsVisit(builder.domain, now());
    },
    cancelAll() {},
  };
  const tasks: string[] = [];
  const background: RunTask = async (name, input, signal) => {
    tasks.push(name);
    return (overrides.background ?? runInline)(name, input, signal);
  };
  const database = scratchPath();
  const settings = loadSettings({
    file: null,
    env: {},
    cwd: dirname(database),
    flags: {
      database,
      export: { dir: 'export' },
      network: { dnsServers: ['127.0.0.1:1'], dnsTimeoutMs: 100 },
      ...flags,
    },
  });
  /** Levels of pino: 30 is information, 40 a warning, 50 an error. */
  const log: { level: number; msg: string }[] = [];
  const stream = { write: (line: string) => log.push(JSON.parse(line)) } as unknown as NodeJS.WritableStream;
  const logger = createLogger({ level: 'info', stream });
  const app: Crawler = await createApp(settings, logger, { now, clock: now, identifier, background });
  const service = new Service(app, { now, clock: now });
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });
  const enter = (name: string) => app.store.domains.enter([storedDomain(`${name}.example.org`)], now());
  return { app, service, settings, time, identified, log, tasks, enter };
}

test('an export runs only if something was recorded since the previous one, or in another hour', async () => {
  const { service, time, tasks, enter } = await createTestService();
  enter('one');
  await service.crawl();
  await service.export();
  expect(tasks).toEqual(['export']);
  expect(service.health().export.lastAt).toBe('2026-01-01T00:00:00.000Z');

  await service.export();
  expect(tasks).toEqual(['export']);
  enter('two');
  time.ms += MINUTE;
  await service.crawl();
  await service.export();
  expect(tasks).toEqual(['export', 'export']);
  time.ms += 30 * MINUTE;
  await service.export();
  expect(tasks).toEqual(['export', 'export']);
  time.ms += 30 * MINUTE;
  await service.export();
  expect(tasks).toEqual(['export', 'export', 'export']);
});

test('while another process exports, the service skips its export, and exports later', async () => {
  const { app, service, tasks, enter } = await createTestService();
  enter('one');
  await service.crawl();
  const role = app.store.takeRole('export');
  await service.export();
  expect(tasks).toEqual([]);
  role?.[Symbol.dispose]();
  await service.export();
  expect(tasks).toEqual(['export']);
});

test('a failing export is logged, makes the health failing until one succeeds, and does not stop the crawl', async () => {
  const { service, time, log, settings, enter } = await createTestService();
  writeFileSync(settings.export.dir, 'a file where a folder is needed');
  enter('one');
  await service.crawl();
  await service.export();
  expect(service.health()).toMatchObject({ status: 'failing', problems: [expect.stringContaining('export.dir')] });
  expect(log.filter(({ level }) => level === 50)).toHaveLength(1);
  rmSync(settings.export.dir);
  time.ms += MINUTE;
  enter('two');
  await service.crawl();
  await service.export();
  expect(service.health()).toMatchObject({ status: 'ok', problems: [], visits: { total: 2 } });
});

test('a failed crawl is retried after 10 s, then 20 s and so on, until it succeeds', async () => {
  const { service, settings, time, identified, enter } = await createTestService();
  const acceptInserts = refuseInserts(settings.database, 'visits');
  enter('one');
  const attemptsAfter = async (seconds: number) => {
    time.ms += seconds * 1_000;
    await service.crawl();
    return identified.length;
  };
  expect(await attemptsAfter(0)).toBe(1);
  expect(await attemptsAfter(9)).toBe(1);
  expect(await attemptsAfter(1)).toBe(2);
  expect(await attemptsAfter(19)).toBe(2);
  expect(await attemptsAfter(1)).toBe(3);
  expect(service.health()).toMatchObject({ status: 'failing', problems: [expect.stringContaining('disk is full')] });
  acceptInserts();
  expect(await attemptsAfter(40)).toBe(4);
  expect(service.health()).toMatchObject({ status: 'ok', visits: { total: 1 }, crawl: { phase: 'idle' } });
});

test('a lasting failure is logged once, and its end once', async () => {
  const { service, settings, time, log, enter } = await createTestService();
  const acceptInserts = refuseInserts(settings.database, 'visits');
  enter('one');
  for (let attempt = 0; attempt < 4; attempt++) {
    await service.crawl();
    time.ms += 10 * MINUTE;
  }
  expect(log.filter(({ msg }) => msg.includes('disk is full'))).toHaveLength(1);
  acceptInserts();
  await service.crawl();
  expect(log.filter(({ msg }) => msg === 'crawl works again')).toHaveLength(1);
});

test('the health is ok from the first visit recorded after a failed crawl, before the crawl ends', async () => {
  const { app, service, settings, time, enter } = await createTestService();
  const acceptInserts = refuseInserts(settings.database, 'visits');
  enter('one');
  await service.crawl();
  time.ms += MINUTE;
  acceptInserts();
  const statuses: string[] = [];
  const crawl = app.crawl.bind(app);
  app.crawl = (options) =>
    crawl({
      ...options,
      onCompleted: (visit) => {
        options.onCompleted(visit);
        statuses.push(service.health().status);
      },
    });
  await service.crawl();
  expect(statuses[0]).toBe('ok');
});

test('the start of an offline period stays the same through all attempts', async () => {
  const { app, service, time, enter } = await createTestService();
  const crawl = app.crawl.bind(app);
  let isOffline = true;
  app.crawl = async (options) => (isOffline ? 'offline' : crawl(options));
  enter('one');
  for (let attempt = 0; attempt < 4; attempt++) {
    await service.crawl();
    expect(service.health().crawl).toEqual({ phase: 'offline', offlineSince: '2026-01-01T00:00:00.000Z' });
    time.ms += 10 * MINUTE;
  }
  isOffline = false;
  await service.crawl();
  expect(service.health()).toMatchObject({ status: 'ok', crawl: { phase: 'idle', offlineSince: null } });
});

test('a missing source file makes the service degraded until a reload reads it', async () => {
  const { service, settings } = await createTestService();
  const path = join(dirname(settings.database), 'later.txt');
  const sources: typeof settings.sources = [SourceSettings.parse({ type: 'file', path })];
  service.reload({ ...settings, sources });
  await expect.poll(() => service.health()).toMatchObject({ status: 'degraded' });
  writeFileSync(path, 'one.example.org');
  service.reload({ ...settings, sources });
  await expect.poll(() => service.health()).toMatchObject({ status: 'ok', backlog: { new: { due: 1 } } });
});

test('failing sources are reported as one problem, with the first reason and the number of the others', async () => {
  const { app, service, settings, log } = await createTestService();
  const report = (key: string, outcome: SourceReport['outcome'], why: string | null): SourceReport => ({
    ...skippedReport({ key, type: 'json', label: `list ${key}` }),
    ...{ outcome, why },
  });
  let reports: SourceReport[] = [];
  app.sources.keys = () => ['a', 'b'];
  app.sources.readLane = async (lane, _which, _signal, options) => {
    if (lane === 'remote') for (const finished of reports) options?.onReport?.(finished);
    return [];
  };
  const healthAfter = async (...finished: SourceReport[]) => {
    reports = finished;
    await service.readSources();
    const { status, problems } = service.health();
    return { status, problems };
  };
  expect(await healthAfter(report('a', 'partial', 'it broke'))).toMatchObject({ status: 'ok' });
  expect(await healthAfter(report('a', 'failed', 'It answers 500.'))).toEqual({
    status: 'degraded',
    problems: ['It answers 500.'],
  });
  expect(await healthAfter(report('b', 'failed', null))).toEqual({
    status: 'degraded',
    problems: ['It answers 500. (1 more source failed)'],
  });
  expect(await healthAfter(report('a', 'denied', 'It admits no programs; ask its owner.'))).toMatchObject({
    status: 'degraded',
    problems: [expect.stringContaining('It admits no programs; ask its owner.')],
  });
  expect(await healthAfter(report('a', 'complete', null))).toMatchObject({
    problems: ['the source list b cannot be read'],
  });
  // A source that is no longer in the settings is not a problem.
  app.sources.keys = () => ['a'];
  expect(await healthAfter()).toMatchObject({ status: 'ok' });
  expect(await healthAfter({ ...report('a', 'complete', null), accepted: 2, shrunkFrom: 20 })).toMatchObject({
    status: 'ok',
  });
  const levels = log.flatMap(({ level, msg }) => (/^source$|fewer/.test(msg) ? [[msg, level]] : []));
  expect(levels).toEqual([
    ['source', 40],
    ['source', 40],
    ['source', 40],
    ['source', 50],
    ['source', 30],
    ['source', 30],
    ['a source lists far fewer domains than before', 40],
  ]);
  app.sources.readLane = () => Promise.reject(new StoreError('disk-full', settings.database, 'is full'));
  await service.readSources();
  expect(service.health().problems).toEqual([expect.stringContaining('is full')]);
});

test('a source that was refused access before the start is a problem until it works', async () => {
  const { app, service } = await createTestService();
  const identity = { key: 'a', type: 'json', label: 'https://list.example' };
  const why = 'The source json https://list.example refuses access (status 403); ask its owner.';
  const totals = {
    etag: null,
    lastModified: null,
    requests: 1,
    bytes: 0,
    lines: 0,
    refused: 0,
    refusedByReason: {},
    merged: 0,
  };
  const run = app.store.sources.beginRun(identity, 0);
  if (run === null) expect.fail();
  app.store.sources.endRun(run, { outcome: 'denied', why, ...totals }, 1);
  app.sources.keys = () => ['a'];
  app.sources.readLane = async () => [];
  await service.start();
  expect(service.health()).toMatchObject({ status: 'degraded', problems: [why] });
});

test('start reads only file sources and logs the malformed lines of the opt-out file', async () => {
  const { app, service, settings, log } = await createTestService({ optOut: { file: 'opt-outs.txt' } });
  writeFileSync(settings.optOut.file ?? '', 'not a domain\n');
  const read: string[] = [];
  app.sources.read = async (which) => {
    read.push(which);
    return [];
  };
  app.sources.readLane = async () => [];
  await service.start();
  expect(read).toEqual(['files']);
  expect(log.filter(({ msg }) => msg.includes('lines of the opt-out file'))).toHaveLength(1);
  writeFileSync(settings.optOut.file ?? '', '# nobody\n');
  await service.readSources();
  expect(log.filter(({ msg }) => msg.includes('lines of the opt-out file'))).toHaveLength(1);
});

test('no source is read while the opt-out file cannot be read', async () => {
  const { app, service, settings } = await createTestService({ optOut: { file: 'opt-outs.txt' } });
  const lanes: string[] = [];
  app.sources.readLane = async (lane, which) => {
    lanes.push(`${lane} ${which}`);
    return [];
  };
  await service.readSources();
  expect(lanes).toEqual([]);
  writeFileSync(settings.optOut.file ?? '', '# nobody\n');
  await service.readSources();
  expect(lanes).toEqual(['local due', 'remote due']);
});

test('a running pass visits no further domain once the opt-out file cannot be read', async () => {
  const { app, service, settings } = await createTestService({
    optOut: { file: 'opt-outs.txt' },
    queue: { visitsPerSecond: 5 },
  });
  writeFileSync(settings.optOut.file ?? '', '# nobody\n');
  await service.readSources();
  app.store.domains.enter(
    Array.from({ length: 5 }, (_, i) => storedDomain(`host.site${i}.org`)),
    0,
  );
  const crawled = service.crawl();
  await expect.poll(() => service.health().visits.total, { interval: 5 }).toBeGreaterThan(0);
  rmSync(settings.optOut.file ?? '');
  await service.readSources();
  await crawled;
  expect(service.health().visits.total).toBeLessThan(5);
});

test('a stopped service reads no sources and applies no opt-outs', async () => {
  const { app, service } = await createTestService();
  let laneRuns = 0;
  let optOutRuns = 0;
  app.optOutFile.apply = async () => {
    optOutRuns += 1;
    return null;
  };
  app.sources.readLane = async () => {
    laneRuns += 1;
    return [];
  };
  await service.readSources();
  await service.stop();
  await service.readSources();
  expect([laneRuns, optOutRuns]).toEqual([2, 1]);
});

test('a reloaded rate limit applies to the running crawl and the next one', async () => {
  const { app, service, settings } = await createTestService({ queue: { visitsPerSecond: 0.5 } });
  // At the rate before the change, a crawl would exceed the time-out of the test.
  const enterSixty = (kind: string) =>
    app.store.domains.enter(
      Array.from({ length: 60 }, (_, i) => storedDomain(`${kind}${i}.site${i}.org`)),
      0,
    );
  enterSixty('first');
  const UNLIMITED = 0;
  const slow = service.crawl();
  await expect.poll(() => service.health().visits.total).toBeGreaterThan(0);
  const changes = service.reload({ ...settings, queue: { ...settings.queue, visitsPerSecond: UNLIMITED } });
  expect(changes.applied).toEqual(['queue.visitsPerSecond']);
  await slow;
  enterSixty('second');
  await service.crawl();
  expect(service.health().visits.total).toBe(120);
});

test('a service stopped during its start visits nothing', async () => {
  const { app, service, enter } = await createTestService();
  enter('one');
  const starting = service.start();
  await service.stop();
  await starting;
  using reader = app.store.reader();
  expect(reader.visits.lastId()).toBe(0);
});

test('only a damaged, moved or replaced database ends the service', async () => {
  const endAfter = async (spoil: (database: string) => void) => {
    const { service, settings, enter } = await createTestService();
    enter('one');
    spoil(settings.database);
    await service.crawl();
    return Promise.race([service.broken, Promise.resolve('running')]);
  };
  const damage = `pragma writable_schema = on; update sqlite_schema set sql = 'damaged' where name = 'visits'; pragma schema_version = 99`;
  const isDamaged = endAfter((database) => withSqlite(database, (sqlite) => sqlite.unsafeMode().exec(damage)));
  expect(await isDamaged).toHaveProperty('code', 'corrupt');
  expect(await endAfter((database) => refuseInserts(database, 'in_progress'))).toBe('running');
  expect(await endAfter((database) => renameSync(database, `${database}.away`))).toHaveProperty('code', 'moved');
});

test('a domain added to the opt-out file is purged and unpublished while the service runs, even if it is the only instance', async () => {
  const { app, service, time, settings, tasks, enter } = await createTestService({ optOut: { file: 'opt-outs.txt' } });
  const file = settings.optOut.file ?? '';
  writeFileSync(file, '# nobody yet\n');
  enter('goes');
  await service.crawl();
  await service.export();
  const published = () => readFileSync(join(settings.export.dir, 'instances.json'), 'utf8');
  expect(published()).toContain('goes.example.org');
  await service.readSources();
  expect(tasks).toEqual(['export']);

  time.ms += MINUTE;
  writeFileSync(file, 'goes.example.org # asked by mail\n');
  await service.readSources();
  expect(tasks).toEqual(['export', 'forget', 'export']);
  expect(published()).not.toContain('goes.example.org');
  using reader = app.store.reader();
  expect(reader.domains.listingOf(storedDomain('goes.example.org'))).toMatchObject({ because: 'opted-out' });
  rmSync(file);
  await service.readSources();
  expect(service.health()).toMatchObject({ status: 'failing', problems: [expect.stringContaining('optOut.file')] });
  // No host is visited until the file can be read again.
  enter('waits');
  const visitsOf = (name: string) => [...reader.visits.of(storedDomain(`${name}.example.org`))].length;
  await service.crawl();
  expect(visitsOf('waits')).toBe(0);
  writeFileSync(file, 'goes.example.org\n');
  await service.readSources();
  await service.crawl();
  expect(visitsOf('waits')).toBe(1);
});

test('an unreadable opt-out file makes the start fail', async () => {
  const { service } = await createTestService({ optOut: { file: 'no-such-file.txt' } });
  await expect(service.start()).rejects.toThrow(/opt-out file .* cannot be read/);
});

test('an unreadable source makes the start fail', async () => {
  const { service } = await createTestService({ sources: [{ type: 'file', path: join('no', 'such', 'file.txt') }] });
  await expect(service.start()).rejects.toThrow(/no such file/);
});

test('a failed compaction is reported, and the service continues', async () => {
  let isFailing = true;
  const background: RunTask = async () => {
    if (isFailing) throw new Error('the thread broke');
    return { done: true } as never;
  };
  const { service } = await createTestService({}, { background });
  await service.compact();
  expect(service.health()).toMatchObject({
    status: 'failing',
    problems: ['the thread broke'],
    compaction: { lastAt: null },
  });
  isFailing = false;
  await service.compact();
  expect(service.health()).toMatchObject({ status: 'ok', compaction: { lastAt: expect.any(String) } });
});

test('reloaded settings apply from the next visit, except those that need a restart', async () => {
  const { app, service, time, enter, settings } = await createTestService();
  const changes = service.reload({
    ...settings,
    cadence: { ...settings.cadence, loopsHours: 100, jitter: 0 },
    softwareId: 'something-else',
  });
  expect(changes).toEqual({ applied: ['cadence.loopsHours', 'cadence.jitter'], needRestart: ['softwareId'] });
  expect(app.settings.softwareId).toBe('loops');
  enter('one');
  await service.crawl();
  using reader = app.store.reader();
  expect(reader.domains.find(storedDomain('one.example.org'))?.nextVisit).toBe(time.ms + 100 * 60 * MINUTE);
});

test('stopping aborts the source runs that a reload started and waits for them', async () => {
  const { app, service, settings } = await createTestService();
  const events: string[] = [];
  const started = Promise.withResolvers<void>();
  app.sources.readLane = async (lane, _which, signal) => {
    if (lane === 'local') return [];
    started.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    events.push('read');
    return [];
  };
  service.reload({ ...settings, sources: [SourceSettings.parse({ type: 'file', path: 'later.txt' })] });
  await started.promise;
  await service.stop();
  events.push('stopped');
  expect(events).toEqual(['read', 'stopped']);
});

test('a service can be stopped twice and does nothing afterwards', async () => {
  const { app, service, enter } = await createTestService();
  await service.start();
  await Promise.all([service.stop(), service.stop()]);
  enter('one');
  await service.crawl();
  using reader = app.store.reader();
  expect(reader.visits.lastId()).toBe(0);
});

test('if the process is killed between a purge and its export, the next start exports', async () => {
  const killed = await createTestService();
  killed.enter('goes');
  killed.enter('stays');
  await killed.service.crawl();
  await killed.service.export();
  const published = () => readFileSync(join(killed.settings.export.dir, 'instances.json'), 'utf8');
  expect(published()).toContain('goes.example.org');
  // The process was killed after the purge and before the export.
  killed.app.store.optOuts.forget([storedDomain('goes.example.org')], killed.time.ms);
  await killed.service[Symbol.asyncDispose]();
  await killed.app[Symbol.asyncDispose]();

  const { service, app } = await createTestService({
    database: killed.settings.database,
    export: { dir: killed.settings.export.dir },
  });
  await service.start();
  expect(published()).not.toContain('goes.example.org');
  expect(published()).toContain('stays.example.org');
  expect(app.store.optOuts.unpublishedPurge()).toBeNull();
});

test('a service starts even if the publish guard holds back the export after a purge', async () => {
  const killed = await createTestService();
  const names = Array.from({ length: 9 }, (_, index) => `h${index}`);
  for (const name of names) killed.enter(name);
  await killed.service.crawl();
  await killed.service.export();
  killed.app.store.optOuts.forget([storedDomain('h0.example.org')], killed.time.ms);
  await killed.service[Symbol.asyncDispose]();
  await killed.app[Symbol.asyncDispose]();
  // Domains that did not opt out disappear too, so the publish guard holds back the export.
  withSqlite(killed.settings.database, (sqlite) =>
    sqlite.exec(`update domains set state = 'dead' where domain like 'h_.example.org'`),
  );
  const { service, app } = await createTestService({
    database: killed.settings.database,
    export: { dir: killed.settings.export.dir },
  });
  await service.start();
  expect(service.health()).toMatchObject({ status: 'failing', problems: [expect.stringContaining('export')] });
  expect(app.store.optOuts.unpublishedPurge()).toBe(1);
});

test('a stopped service still reports its health, which the web server reads until it closes', async () => {
  const { service, enter } = await createTestService();
  enter('one');
  await service.stop();
  const health = service.health();
  expect(health.problems).toEqual([]);
  expect(health.backlog).not.toBeNull();
});
