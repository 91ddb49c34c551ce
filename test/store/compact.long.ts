import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Domain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type CompactionOptions, compact, type Retention } from '../../src/store/retention/compact.ts';
import type { Store } from '../../src/store/store.ts';
import { runChild } from './run-child.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains, sampleFacts, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const day = 24 * hour;
const retention: Retention = { stepsDays: 30, documentsDays: 30, visitsDays: 400, usageDays: 30, unlistedDays: 90 };
const start = Date.UTC(2025, 0, 1);
const noPause = async () => undefined;

/** Visits every domain at `at`. The facts and the document depend on `version`, which depends on `at` by default. */
function visitAll(store: Store, domains: readonly Domain[], at: number, version = `1.0.${at}`): void {
  store.domains.requestVisit(domains, at);
  const results = store.due.pick(domains.length, at).map((picked) => {
    const { domain } = picked.record;
    const usage = { ...sampleFacts.usage, users: Math.round((at - start) / hour), asOf: new Date(at).toISOString() };
    const documents = { config: new TextEncoder().encode(`{"of":"${domain}","version":"${version}"}`) };
    const facts = { ...sampleFacts, version, usage };
    return recordedVisit(picked, at, loopsVisit(domain, at, { version, facts, documents }));
  });
  expect(store.visits.record(results)).toEqual([]);
}

/** Records an unanswered visit to another domain, so that `at` is the time of the last visit. */
function visitAnother(store: Store, at: number): void {
  const another = sampleDomains(1, 9_000);
  store.domains.requestVisit(another, at);
  const due = store.due.pick(1, at, another);
  store.visits.record(due.map((picked) => recordedVisit(picked, at, unreachableVisit(picked.record.domain, at))));
}

const readNumber = (path: string, text: string): number =>
  withSqlite(path, (sqlite) => Number(sqlite.prepare(text).pluck().get()));

/** Counts the visits from `expiredBefore` on that have no steps, and the earlier ones that still have steps. */
const countWrongSteps = (path: string, expiredBefore: number): number =>
  readNumber(
    path,
    `select count(*) from visits where (id not in (select visit_id from visit_steps)) <> (at < ${expiredBefore})`,
  );

const compactNow = (path: string, at: number, more: Partial<CompactionOptions> = {}) =>
  compact({ path, at, retention, pause: noPause, ...more });

/** A database of three domains, visited every 40 days for 480 days and then every 6 hours for two days. */
async function createHistory(path: string): Promise<{ now: number; visits: number }> {
  await using store = await openStore({ path });
  const domains = sampleDomains(3);
  store.domains.enter(domains, start);
  let now = start;
  let visits = 0;
  const visit = (stepMs: number) => {
    visitAll(store, domains, now);
    visits += domains.length;
    now += stepMs;
  };
  while (now < start + 480 * day) visit(40 * day);
  while (now < start + 482 * day) visit(6 * hour);
  return { now, visits };
}

test('compaction deletes exactly the data older than its retention, except the last expired visit of each domain', async () => {
  const path = scratchPath();
  const { now, visits } = await createHistory(path);
  const changes = readNumber(path, 'select count(*) from changes');
  const report = await compactNow(path, now);
  const deleted = readNumber(path, `select ${visits} - count(*) from visits`);
  // Each of the three domains has expired visits of the days 0, 40 and 80, of which the last stays. It and the nine visits of the
  // days 120 to 440 lose their steps.
  expect(deleted).toBe(3 * 2);
  expect(report).toMatchObject({ visits: deleted, steps: 3 * 10, end: 'done' });
  expect(readNumber(path, `select count(*) from visits where at < ${now - 400 * day}`)).toBe(3);
  expect(readNumber(path, `select count(*) from visits where at = ${start + 80 * day}`)).toBe(3);
  expect(countWrongSteps(path, now - 30 * day)).toBe(0);
  expect(
    readNumber(path, `select count(*) from visits where config_document is not null and at < ${now - 30 * day}`),
  ).toBe(0);
  expect(
    readNumber(path, `select count(*) from visits where config_document is null and at >= ${now - 30 * day}`),
  ).toBe(0);
  // Each domain has eight visits of the last 30 days.
  expect(readNumber(path, 'select count(*) from documents')).toBe(3 * 8);
  expect(readNumber(path, 'select count(*) from changes')).toBe(changes);
  expect(withSqlite(path, (sqlite) => sqlite.pragma('foreign_key_check'))).toEqual([]);
  expect(withSqlite(path, (sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');

  const again = await compactNow(path, now);
  expect(again).toMatchObject({ visits: 0, steps: 0, documents: 0, usage: 0, factSets: 0, end: 'done' });
});

test('the last documents and facts of a domain are never deleted', async () => {
  const path = scratchPath();
  const { now } = await createHistory(path);
  const later = now + 1_000 * day;
  await using store = await openStore({ path });
  visitAnother(store, later);
  const report = await compactNow(path, later);
  expect(readNumber(path, 'select count(*) from visits')).toBe(3 + 1);
  expect(report.freeBytes).toBeGreaterThan(0);
  expect(readNumber(path, 'select count(*) from documents')).toBe(3);
  expect(readNumber(path, 'select count(*) from latest_documents where config_document is not null')).toBe(3);
  using reader = store.reader();
  for (const domain of sampleDomains(3))
    expect(reader.instances.factsOf(domain)?.facts.version).toBe(`1.0.${now - 6 * hour}`);
});

test('the visit with the latest documents of a domain stays, so that they can be read again, and the last expired one', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [domain] = sampleDomains(1) as [Domain];
  store.domains.enter([domain], start);
  visitAll(store, [domain], start, '1.0.0');
  for (const days of [10, 20, 30]) {
    store.domains.requestVisit([domain], start + days * day);
    const [picked] = store.due.pick(1, start + days * day);
    const at = start + days * day;
    store.visits.record(picked === undefined ? [] : [recordedVisit(picked, at, unreachableVisit(domain, at))]);
  }
  visitAnother(store, start + 600 * day);
  await compactNow(path, start + 600 * day);
  using reader = store.reader();
  expect([...reader.visits.of(domain)].map(({ at }) => (at - start) / day)).toEqual([30, 0]);
  const documented = reader.visits.nextDomainWithDocuments(0);
  expect(documented && reader.visits.withDocuments(documented).map(({ at }) => at)).toEqual([start]);
});

test('documents and facts that several visits share are deleted only when they have expired for all of these visits', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(2);
  store.domains.enter(domains, start);
  for (const days of [0, 20, 40]) visitAll(store, domains, start + days * day, '1.0.0');
  visitAll(store, domains, start + 60 * day, '2.0.0');
  expect(readNumber(path, 'select count(*) from documents')).toBe(4);
  visitAnother(store, start + 65 * day);
  await compactNow(path, start + 65 * day);
  expect(readNumber(path, 'select count(*) from documents')).toBe(4);
  visitAnother(store, start + 75 * day);
  expect(await compactNow(path, start + 75 * day)).toMatchObject({ documents: 2 });
  visitAnother(store, start + 600 * day);
  await compactNow(path, start + 600 * day);
  expect(readNumber(path, 'select count(*) from fact_sets')).toBe(1);
});

test('compaction keeps only the last expired usage count of each day', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(2);
  store.domains.enter(domains, start);
  for (let at = start; at < start + 40 * day; at += 6 * hour) visitAll(store, domains, at);
  const now = start + 40 * day + 3 * hour;
  const report = await compactNow(path, now);
  // Two domains, ten expired days, four counts a day, of which the last stays.
  expect(report.usage).toBe(2 * 10 * 3);
  expect(readNumber(path, `select count(*) from usage where at < ${start + 10 * day}`)).toBe(2 * 10);
  expect(readNumber(path, `select min(at) from usage`)).toBe(start + 18 * hour);
  expect(readNumber(path, `select count(*) from usage where at >= ${start + 10 * day}`)).toBe(2 * 30 * 4);
  expect(readNumber(path, `select count(*) from usage where users is null`)).toBe(0);
});

test('a document that loses its last reference after compaction has examined it is deleted 30 days later, when compaction starts again at the first document', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(1);
  store.domains.enter(domains, start);
  visitAll(store, domains, start);
  await compactNow(path, start + 35 * day);
  visitAll(store, domains, start + 36 * day);
  expect(readNumber(path, 'select count(*) from documents')).toBe(2);
  await compactNow(path, start + 66 * day);
  expect(readNumber(path, 'select count(*) from documents')).toBe(1);
});

test('visits recorded with a wrong clock are neither deleted too early nor kept forever', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(1);
  store.domains.enter(domains, 1);
  const ahead = start + 5 * 365 * day;
  for (const days of [0, 1, 2, 3]) visitAll(store, domains, start + days * day);
  for (const at of [ahead, 1_000, ahead + 1]) visitAll(store, domains, at);
  for (const days of [420, 421]) visitAll(store, domains, start + days * day);
  await compactNow(path, start + 421 * day);
  const remaining = withSqlite(path, (sqlite) => sqlite.prepare('select at from visits order by id').pluck().all());
  expect(remaining).toEqual(expect.arrayContaining([ahead, ahead + 1, start + 420 * day, start + 421 * day]));
  for (let days = 460; days < 3_000; days += 100) {
    visitAll(store, domains, start + days * day);
    await compactNow(path, start + days * day);
  }
  expect(readNumber(path, `select count(*) from visits where at in (1000, ${ahead}, ${ahead + 1})`)).toBe(0);
});

test('compaction deletes only data that had expired a day after the last visit, even if the clock shows years later', async () => {
  const path = scratchPath();
  const { now } = await createHistory(path);
  const last = now - 6 * hour;
  const rowCounts = () =>
    ['visits', 'documents', 'usage', 'fact_sets'].map((table) => readNumber(path, `select count(*) from ${table}`));
  await compactNow(path, last + day);
  const remaining = rowCounts();
  for (const years of [1, 5, 100]) {
    expect(await compactNow(path, now + years * 365 * day)).toMatchObject({
      visits: 0,
      steps: 0,
      documents: 0,
      usage: 0,
    });
    expect(rowCounts()).toEqual(remaining);
  }
  await using store = await openStore({ path });
  visitAll(store, sampleDomains(1), now + 30 * day);
  expect((await compactNow(path, now + 30 * day)).steps).toBeGreaterThan(0);
});

test('a database replaced during compaction is reported as replaced, not as damaged', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    const domains = sampleDomains(500);
    store.domains.enter(domains, start);
    for (let days = 0; days <= 440; days += 40) visitAll(store, domains, start + days * day);
  }
  const replace = async () => {
    if (existsSync(`${path}.away`)) return;
    withSqlite(path, (sqlite) => sqlite.pragma('wal_checkpoint(truncate)'));
    renameSync(path, `${path}.away`);
    const bytes = readFileSync(`${path}.away`);
    writeFileSync(path, bytes);
    // Damages the moved file, which the compaction still has open.
    writeFileSync(`${path}.away`, bytes.fill(0x5a, 4_096, bytes.length));
  };
  const error = await compactNow(path, start + 441 * day, { pause: replace }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'StoreError', code: 'moved' });
});

test('a stopped compaction continues where it stopped', async () => {
  const path = scratchPath();
  const { now } = await createHistory(path);
  const visitsBefore = readNumber(path, 'select count(*) from visits');
  let passes = 0;
  for (;;) {
    const stop = new AbortController();
    const { end } = await compactNow(path, now, { signal: stop.signal, pause: async () => stop.abort() });
    passes += 1;
    if (end === 'done') break;
  }
  expect(passes).toBeGreaterThan(4);
  expect(readNumber(path, 'select count(*) from visits')).toBe(visitsBefore - 6);
  expect(await compactNow(path, now)).toMatchObject({ visits: 0, steps: 0, documents: 0, usage: 0 });
});

test('a compaction killed at any time leaves an intact database and continues the next time', async () => {
  const path = scratchPath();
  const domains = sampleDomains(300);
  const now = start + 450 * day;
  {
    await using store = await openStore({ path });
    store.domains.enter(domains, start);
    for (let days = 0; days <= 440; days += 40) visitAll(store, domains, start + days * day);
  }
  for (const afterMs of [0, 5, 20, 60, 120]) {
    // The pause is longer than the longest delay before the kill, so that no compaction finishes.
    const child = runChild('./compact-slowly.ts', [path, String(now), '200']);
    await child.printed('piece');
    await delay(afterMs);
    child.kill();
    // The process was killed before it finished.
    expect((await child.ended).signal).toBe('SIGKILL');
    expect(withSqlite(path, (sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');
    expect(withSqlite(path, (sqlite) => sqlite.pragma('foreign_key_check'))).toEqual([]);
  }
  await compactNow(path, now);
  expect(readNumber(path, `select count(*) from visits where at < ${now - 400 * day}`)).toBe(300);
  expect(readNumber(path, 'select count(*) from visits')).toBe(300 * 11);
  expect(countWrongSteps(path, now - 30 * day)).toBe(0);
  expect(readNumber(path, 'select count(*) from documents')).toBe(300);
});

test('a crawl can write during a compaction, and no write is lost', async () => {
  const path = scratchPath();
  const domains = sampleDomains(2_000);
  await using store = await openStore({ path });
  store.domains.enter(domains, start);
  for (const days of [0, 1, 2]) visitAll(store, domains, start + days * day);
  visitAnother(store, start + 500 * day);
  const child = runChild('./compact-slowly.ts', [path, String(start + 500 * day), '0']);
  await child.printed('begun');
  let isRunning = true;
  void child.ended.then(() => {
    isRunning = false;
  });
  const crawled = sampleDomains(64, 5_000);
  let rounds = 0;
  for (let at = start + 500 * day; isRunning; at += 1) {
    store.domains.requestVisit(crawled, at);
    const due = store.due.pick(64, at, crawled);
    store.visits.record(due.map((picked) => recordedVisit(picked, at)));
    rounds += 1;
    await delay(2);
  }
  expect((await child.ended).stderr).toBe('');
  expect(readNumber(path, `select count(*) from visits where at < ${start + 2 * day}`)).toBe(0);
  expect(readNumber(path, `select count(*) from visits where at = ${start + 2 * day}`)).toBe(2_000);
  expect(rounds).toBeGreaterThan(3);
  expect(readNumber(path, `select count(*) from visits where at >= ${start + 500 * day}`)).toBe(1 + 64 * rounds);
});

test('a missing database cannot be compacted', async () => {
  await expect(compactNow(scratchPath(), start)).rejects.toThrow(/does not exist; crawl first/);
});
