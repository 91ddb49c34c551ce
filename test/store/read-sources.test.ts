import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { compact } from '../../src/store/retention/compact.ts';
import { RunOverError } from '../../src/store/sources/sources.ts';
import { runChild } from './run-child.ts';
import { beginRun, candidates, completeRun, noLimits, readOnce, sampleSource } from './sample-source.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);

test('a stored run can be read while in progress and after its end', async () => {
  await using store = await openStore({ path: scratchPath() });
  const run = beginRun(store, sampleSource('a'), 10);
  store.sources.enterFrom(run, candidates(sampleDomains(3)), 11, noLimits);
  store.sources.enterFrom(run, candidates(sampleDomains(5)), 12, { ...noLimits, most: 4 });
  using reader = store.reader();
  const counts = { entered: 4, known: 3, queueFull: 1, cappedByDomain: 0, optedOut: 0 };
  const [inProgress] = reader.sources.all();
  expect(inProgress).toMatchObject({ ...sampleSource('a'), firstAt: 10, lastSuccess: null, etag: null });
  expect(inProgress?.lastRun).toMatchObject({
    id: run,
    begunAt: 10,
    endedAt: null,
    outcome: null,
    lines: 0,
    ...counts,
  });
  store.sources.endRun(run, { ...completeRun, outcome: 'partial', why: 'the body broke off' }, 20);
  const { etag: _etag, lastModified: _lastModified, ...result } = completeRun;
  expect(reader.sources.all()[0]?.lastRun).toEqual({
    ...result,
    ...counts,
    id: run,
    begunAt: 10,
    endedAt: 20,
    outcome: 'partial',
    why: 'the body broke off',
  });
  expect(() => store.sources.endRun(run, completeRun, 21)).toThrow('not in progress');
});

test('a source with the same key keeps its id and its first run time when its label changes', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'a', [], 10);
  const run = beginRun(store, { ...sampleSource('a'), label: 'Called otherwise' }, 30);
  using reader = store.reader();
  expect(reader.sources.all()).toMatchObject([{ id: 1, label: 'Called otherwise', firstAt: 10, lastRun: { id: run } }]);
  expect([...reader.sources.runsOf(sampleSource('a').key)].map(({ begunAt }) => begunAt)).toEqual([30, 10]);
  expect([...reader.sources.runsOf('unheard of')]).toEqual([]);
});

test('conditional requests use the validators of the last successful run, or none if that run filled its queue', async () => {
  await using store = await openStore({ path: scratchPath() });
  using reader = store.reader();
  const validators = () => reader.sources.all().map(({ etag, lastModified }) => [etag, lastModified])[0];
  readOnce(store, 'a', [], 10, { end: { etag: '"a"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' } });
  expect(validators()).toEqual(['"a"', 'Thu, 01 Jan 2026 00:00:00 GMT']);
  readOnce(store, 'a', [], 20, { end: { outcome: 'failed', why: 'it answers 503', etag: null } });
  expect(validators()?.[0]).toBe('"a"');
  readOnce(store, 'a', [], 30, { end: { outcome: 'unchanged', why: 'it says so', etag: '"b"' } });
  expect(validators()).toEqual(['"b"', null]);
  readOnce(store, 'a', candidates(sampleDomains(9)), 40, { limits: { most: 3 }, end: { etag: '"c"' } });
  expect(validators()).toEqual([null, null]);
  const [state] = reader.sources.all();
  expect([state?.lastRun?.begunAt, state?.lastSuccess?.begunAt, state?.lastComplete?.begunAt]).toEqual([40, 40, 40]);
  readOnce(store, 'a', [], 50, { end: { outcome: 'unchanged' } });
  const [later] = reader.sources.all();
  expect([later?.lastRun?.begunAt, later?.lastSuccess?.begunAt, later?.lastComplete?.begunAt]).toEqual([50, 50, 40]);
});

test('the yield of a source counts its domains, its visited domains, its Loops instances and the instances that no other source lists', async () => {
  await using store = await openStore({ path: scratchPath() });
  const domains = sampleDomains(10);
  readOnce(store, 'a', candidates(domains.slice(0, 8)), 10);
  readOnce(store, 'b', candidates(domains.slice(6)), 11);
  readOnce(store, 'empty', [], 12);
  const due = store.due.pick(9, 20, domains.slice(0, 9));
  const results = due.map((picked) => {
    const { domain } = picked.record;
    const isLoops = [0, 1, 7].includes(domains.indexOf(domain));
    return recordedVisit(picked, 20, isLoops ? loopsVisit(domain, 20) : unreachableVisit(domain, 20));
  });
  store.visits.record(results);
  using reader = store.reader();
  const yields = reader.sources.yields().map(({ label, domains: known, visited, loops, onlyHere, waiting }) => {
    return { label, known, visited, loops, onlyHere, waiting };
  });
  expect(yields).toEqual([
    { label: 'The list a', known: 8, visited: 8, loops: 3, onlyHere: 2, waiting: 0 },
    { label: 'The list b', known: 4, visited: 3, loops: 1, onlyHere: 0, waiting: 1 },
    { label: 'The list empty', known: 0, visited: 0, loops: 0, onlyHere: 0, waiting: 0 },
  ]);
});

test('the run of a killed process becomes broken when the next process starts to crawl, and keeps its counts', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const child = runChild('./read-source-slowly.ts', [path]);
  await child.printed('entered');
  child.kill();
  await child.ended;
  using reader = store.reader();
  expect(reader.sources.all()[0]?.lastRun).toMatchObject({ outcome: null, entered: 3 });
  const crawling = store.startCrawling({ command: 'run', pid: 1, since: 9 });
  expect(crawling).toHaveProperty('cutOff', 0);
  expect(reader.sources.all()[0]?.lastRun).toMatchObject({
    outcome: 'broken',
    endedAt: 9,
    entered: 3,
    why: 'the process that read the source ended before the run did',
  });
  expect(reader.domains.counts(9).domains).toBe(3);
});

test('a run that has ended accepts no more domains', async () => {
  await using store = await openStore({ path: scratchPath() });
  const run = beginRun(store, sampleSource('a'), 10);
  store.sources.endRun(run, completeRun, 11);
  expect(() => store.sources.enterFrom(run, candidates(sampleDomains(1)), 12, noLimits)).toThrow(RunOverError);
  expect(() => store.sources.endRun(run, completeRun, 12)).toThrow(RunOverError);
});

test('the time before which a source must not be requested is stored until a run ends without such a time', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    readOnce(store, 'a', [], 10, { end: { outcome: 'failed', notBefore: 5_000 } });
    readOnce(store, 'b', [], 10);
  }
  await using store = await openStore({ path });
  using reader = store.reader();
  const nextRequests = () => reader.sources.all().map(({ notBefore }) => notBefore);
  expect(nextRequests()).toEqual([5_000, null]);
  readOnce(store, 'a', [], 20);
  expect(nextRequests()).toEqual([null, null]);
});

test('a skipped source is reported until its next run', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  using reader = store.reader();
  const { key } = sampleSource('a');
  const why = 'we are offline, so it was not asked';
  const minute = 60_000;
  store.sources.recordSkipped([{ key, at: 10, why }]);
  expect(reader.sources.skipped()).toEqual([{ key, at: 10, why }]);
  expect(reader.sources.all()).toEqual([]);
  // Within a minute, the time is not updated: the write would only invalidate the caches of readers.
  store.sources.recordSkipped([{ key, at: 9 + minute, why }]);
  expect(reader.sources.skipped()).toMatchObject([{ at: 10 }]);
  store.sources.recordSkipped([{ key, at: 10 + minute, why }]);
  expect(reader.sources.skipped()).toMatchObject([{ at: 10 + minute }]);
  store.sources.recordSkipped([{ key, at: 10, why }]);
  expect(reader.sources.skipped()).toMatchObject([{ at: 10 }]);
  readOnce(store, 'other', [], 20);
  expect(reader.sources.skipped()).toHaveLength(1);
  beginRun(store, sampleSource('a'), 30);
  expect(reader.sources.skipped()).toEqual([]);
});

test('of the expired runs of a source, compaction keeps the last, the last successful and the last complete one', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const outcomes = ['complete', 'failed', 'complete', 'unchanged', 'unchanged', 'partial', 'failed'] as const;
  outcomes.forEach((outcome, index) => {
    readOnce(store, 'a', candidates(sampleDomains(1)), start + index * day, { end: { outcome, etag: `"${index}"` } });
  });
  readOnce(store, 'a', [], start + 890 * day, { end: { outcome: 'failed' } });
  const at = start + 900 * day;
  expect(store.visits.record(store.due.pick(1, at).map((picked) => recordedVisit(picked, at)))).toEqual([]);
  using reader = store.reader();
  const before = reader.sources.all();
  const retention = { stepsDays: 30, documentsDays: 30, visitsDays: 400, usageDays: 30, unlistedDays: 90 };
  for (let round = 0; round < 2; round += 1) {
    expect(await compact({ path, at, retention, pause: async () => {} })).toMatchObject({ end: 'done' });
    const remainingDays = [...reader.sources.runsOf(sampleSource('a').key)].map(
      ({ begunAt }) => (begunAt - start) / day,
    );
    // The run of day 890 has not expired.
    expect(remainingDays).toEqual([890, 6, 4, 2]);
  }
  expect(reader.sources.all()).toEqual(before);
  expect(reader.sources.yields()[0]?.domains).toBe(1);
});

test('a purge removes an opted-out name from sources, runs and memberships', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [out, similar, other] = ['gone.example.org', 'agone.example.org', 'peers.example.net'].map(
    (name) => name as never,
  );
  if (!out || !similar || !other) throw new Error('three domains are needed');
  readOnce(store, `https://${other}/list`, candidates([out, similar, other], 'loops'), 10);
  readOnce(store, `https://${out}/peers`, candidates([out, other]), 11, {
    end: { outcome: 'failed', why: `https://${out}/peers answers 500`, etag: `"${out}-7"` },
  });
  readOnce(store, `https://${similar}/peers`, [], 12);
  const skipped = [out, similar].map((name) => ({ key: `json https://${name}/peers`, at: 13, why: 'we are offline' }));
  store.sources.recordSkipped(skipped);
  store.optOuts.forget([out], 20);
  using reader = store.reader();
  expect(reader.sources.all().map(({ key, label }) => [key, label])).toEqual([
    [`json https://${other}/list`, `The list https://${other}/list`],
    ['forgotten source 2', 'forgotten source 2'],
    [`json https://${similar}/peers`, `The list https://${similar}/peers`],
  ]);
  expect(
    [...reader.domains.all()].map(({ domain, listedBy }) => [domain, listedBy.map(({ source }) => source)]),
  ).toEqual([
    [similar, ['json-peers.example.net']],
    [other, ['forgotten-source-2', 'json-peers.example.net']],
  ]);
  expect(reader.sources.all()[1]?.lastRun).toMatchObject({ outcome: 'failed', why: null });
  expect(reader.sources.everListing(out)).toEqual([]);
  expect(reader.sources.skipped()).toEqual([skipped[1]]);
  const rows = withSqlite(path, (sqlite) => [
    sqlite.prepare('select count(*) from domain_sources').pluck().get(),
    sqlite.pragma('foreign_key_check'),
  ]);
  expect(rows).toEqual([3, []]);
  expect(readOnce(store, 'again', candidates([out]), 30)).toMatchObject({ optedOut: 1, entered: 0 });
  expect(store.sources.beginRun({ key: `json https://www.${out}:8443/peers`, type: 'json', label: '' }, 31)).toBeNull();
  readOnce(store, `https://${other}/list`, [], 32, { end: { outcome: 'failed', why: `it redirects to ${out}` } });
  store.sources.recordSkipped(skipped);
  const runs = withSqlite(path, (sqlite) => sqlite.prepare('select * from source_runs').all());
  expect(JSON.stringify([runs, reader.sources.all(), reader.sources.skipped()])).not.toMatch(/(?<!a)gone\.example/);
});
