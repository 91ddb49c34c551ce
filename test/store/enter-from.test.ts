import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { PRIORITY } from '../../src/model/priority.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { beginRun, candidates, noLimits, readOnce, sampleSource } from './sample-source.ts';
import { recordedVisit, sampleDomains, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const zeroCounts = { entered: 0, known: 0, queueFull: 0, cappedByDomain: 0, optedOut: 0 };
const minute = 60_000;

/** Visits all due domains; none answers. */
function visitDue(store: Store, at: number): void {
  const due = store.due.pick(10_000, at);
  store.visits.record(due.map((picked) => recordedVisit(picked, at, unreachableVisit(picked.record.domain, at))));
}

test('each candidate is counted once, and a second run with the same list changes only when it was last listed', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const listed = candidates(sampleDomains(2_500), 'mastodon');
  expect(readOnce(store, 'a', listed, 10)).toEqual({ ...zeroCounts, entered: 2_500 });
  const dump = () =>
    withSqlite(path, (sqlite) =>
      ['domains', 'domain_sources', 'sources', 'queue_ends'].map((table) =>
        sqlite
          .prepare<[], Record<string, unknown>>(`select * from ${table}`)
          .all()
          .map(({ last_at: _, ...row }) => row),
      ),
    );
  const before = dump();
  expect(readOnce(store, 'a', listed, 20)).toEqual({ ...zeroCounts, known: 2_500 });
  expect(dump()).toEqual(before);
});

test('an entered domain is due at once', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [first, second] = sampleDomains(2);
  if (!first || !second) throw new Error('two domains are needed');
  store.domains.enter([first], 7);
  readOnce(store, 'a', candidates([second]), 7);
  using reader = store.reader();
  expect(reader.domains.find(second)).toEqual({
    ...reader.domains.find(first),
    domain: second,
    nextVisitWhy: 'a source lists it',
  });
});

test('a source has a limited number of pending domains; after their visits, others can enter', async () => {
  await using store = await openStore({ path: scratchPath() });
  const listed = candidates(sampleDomains(25));
  const limits = { most: 10 };
  expect(readOnce(store, 'a', listed, 10, { limits })).toEqual({ ...zeroCounts, entered: 10, queueFull: 15 });
  expect(readOnce(store, 'a', listed, 11, { limits })).toEqual({ ...zeroCounts, known: 10, queueFull: 15 });
  expect(readOnce(store, 'b', candidates(sampleDomains(10, 100)), 12, { limits }).entered).toBe(10);
  visitDue(store, 13);
  expect(readOnce(store, 'a', listed, 14, { limits })).toEqual({ ...zeroCounts, known: 10, entered: 10, queueFull: 5 });
  using reader = store.reader();
  expect(reader.sources.yields().map(({ waiting }) => waiting)).toEqual([10, 0]);
});

test('a domain that a source reports as Loops is entered although the source has its limit of pending domains', async () => {
  await using store = await openStore({ path: scratchPath() });
  const limits = { most: 10 };
  const [waitsElsewhere, fresh] = sampleDomains(2, 500) as [Domain, Domain];
  readOnce(store, 'a', candidates(sampleDomains(25)), 10, { limits });
  readOnce(store, 'b', candidates([waitsElsewhere]), 11);
  const reported = candidates([waitsElsewhere, fresh], 'loops');
  expect(readOnce(store, 'a', reported, 12, { limits })).toEqual({ ...zeroCounts, known: 1, entered: 1 });
  expect(store.due.pick(2, 13).map(({ record, priority }) => [record.domain, priority])).toEqual([
    [waitsElsewhere, PRIORITY.reported],
    [fresh, PRIORITY.reported],
  ]);
});

test('a long run can enter more domains after visits in the meantime', async () => {
  await using store = await openStore({ path: scratchPath() });
  const run = beginRun(store, sampleSource('a'), 10);
  const limits = { ...noLimits, most: 10 };
  expect(store.sources.enterFrom(run, candidates(sampleDomains(12)), 10, limits).queueFull).toBe(2);
  visitDue(store, 11);
  expect(store.sources.enterFrom(run, candidates(sampleDomains(12, 100)), minute, limits).entered).toBe(10);
});

test('a source enters a limited number of domains per registrable domain over all its runs; known domains do not count', async () => {
  await using store = await openStore({ path: scratchPath() });
  const limits = { mostPerRegistrable: 5 };
  store.domains.enter(sampleDomains(3), 1);
  const flood = candidates(sampleDomains(3_000));
  expect(readOnce(store, 'a', flood, 10, { limits })).toEqual({
    ...zeroCounts,
    known: 3,
    entered: 5,
    cappedByDomain: 2_992,
  });
  expect(readOnce(store, 'a', flood, 11, { limits })).toEqual({ ...zeroCounts, known: 8, cappedByDomain: 2_992 });
  visitDue(store, 12);
  const more = candidates([...sampleDomains(10, 5_000), storedDomain('videos.example.net')]);
  expect(readOnce(store, 'a', more, 13, { limits })).toEqual({ ...zeroCounts, entered: 1, cappedByDomain: 10 });
});

test('a source that fills a registrable domain with names does not block other sources', async () => {
  await using store = await openStore({ path: scratchPath() });
  const limits = { mostPerRegistrable: 5 };
  readOnce(store, 'liar', candidates(sampleDomains(100)), 10, { limits });
  const honest = candidates(sampleDomains(4, 200));
  expect(readOnce(store, 'honest', honest, 11, { limits })).toEqual({ ...zeroCounts, entered: 4 });
  expect(store.domains.enter(sampleDomains(3, 300), 12)).toBe(3);
  expect(store.domains.enterFound(sampleDomains(6, 400), 13, 5)).toBe(2);
  expect(readOnce(store, 'liar', candidates(sampleDomains(100, 500)), 14, { limits })).toEqual({
    ...zeroCounts,
    cappedByDomain: 100,
  });
});

test('a source enters a limited number of ports per host; the ports of other sources and the host without a port do not count', async () => {
  await using store = await openStore({ path: scratchPath() });
  const limits = { mostPortsPerHost: 4 };
  const ports = (host: string, from: number, count: number) =>
    candidates(Array.from({ length: count }, (_, index) => storedDomain(`${host}:${from + index}`)));
  const victim = 'victim.example.org';
  store.domains.enter([storedDomain(`${victim}:8443`)], 1);
  const scan = [...ports(victim, 10_000, 1_500), ...candidates([storedDomain(victim)]), ...ports(victim, 20_000, 1)];
  expect(readOnce(store, 'liar', scan, 10, { limits })).toEqual({ ...zeroCounts, entered: 5, cappedByDomain: 1_497 });
  expect(readOnce(store, 'liar', ports(victim, 30_000, 3), 11, { limits })).toEqual({
    ...zeroCounts,
    cappedByDomain: 3,
  });
  const others = [...ports('other.example.org', 10_000, 4), ...ports('xvictim.example.org', 10_000, 4)];
  expect(readOnce(store, 'liar', others, 12, { limits })).toEqual({ ...zeroCounts, entered: 8 });
  expect(readOnce(store, 'honest', ports(victim, 30_000, 1), 13, { limits })).toEqual({ ...zeroCounts, entered: 1 });
  expect(store.domains.enter([storedDomain(`${victim}:40000`)], 14)).toBe(1);
  expect(readOnce(store, 'b', ports(victim, 50_000, 100), 15).entered).toBe(100);
});

test('opted-out candidates are counted but neither entered nor stored as listed', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [out, other] = sampleDomains(2);
  if (!out || !other) throw new Error('two domains are needed');
  store.optOuts.forget([out], 1);
  expect(readOnce(store, 'a', candidates([out, other], 'loops'), 10)).toEqual({
    ...zeroCounts,
    entered: 1,
    optedOut: 1,
  });
  using reader = store.reader();
  expect([reader.sources.everListing(out), reader.domains.find(out)]).toEqual([[], null]);
  expect([other, out].filter((name) => store.optOuts.has(name))).toEqual([out]);
});

test('domains that a source reports as Loops are among the first to be picked, even if they already waited before the report', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [plain, waiting, reported] = [sampleDomains(40), sampleDomains(4, 100), sampleDomains(4, 200)];
  readOnce(store, 'a', candidates([...plain, ...waiting]), 10);
  readOnce(store, 'b', [...candidates(reported, 'loops'), ...candidates(waiting, 'loops')], 11);
  const order = store.due.pick(16, 20).map(({ record }) => record.domain);
  const preferred: readonly string[] = [...reported, ...waiting];
  expect(order.filter((domain) => preferred.includes(domain))).toHaveLength(8);
});

test('a report of Loops affects only domains that are not yet visited, and a later list without the report does not undo it', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [visited, waiting] = sampleDomains(2);
  if (!visited || !waiting) throw new Error('two domains are needed');
  readOnce(store, 'a', candidates([visited]), 10);
  visitDue(store, 11);
  readOnce(store, 'b', candidates([visited, waiting], 'loops'), 12);
  readOnce(store, 'a', candidates([visited, waiting]), 13);
  const rows = withSqlite(path, (sqlite) => sqlite.prepare('select priority from domains order by id').pluck().all());
  expect(rows).toEqual([PRIORITY.known, PRIORITY.reported]);
});

test('the software that a source reports is stored and updated, but not text that could name a host', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [domain] = sampleDomains(1);
  if (!domain) throw new Error('a domain is needed');
  using reader = store.reader();
  const storedSoftware = () => reader.sources.everListing(domain).map(({ software }) => software);
  readOnce(store, 'a', candidates([domain], 'mastodon'), 10);
  readOnce(store, 'b', candidates([domain], 'videos.example.net'), 11);
  expect(storedSoftware()).toEqual(['mastodon', null]);
  readOnce(store, 'a', candidates([domain], 'loops'), 12);
  readOnce(store, 'a', candidates([domain], null), 13);
  expect(storedSoftware()).toEqual(['loops', null]);
  const times = { source: 'json-a', firstAt: 10, lastAt: 13 };
  expect(reader.sources.everListing(domain)[0]).toEqual({ ...times, key: sampleSource('a').key, software: 'loops' });
});

test('a domain was last listed by the last run that read it, or found the list unchanged', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [kept, dropped] = sampleDomains(2);
  if (!kept || !dropped) throw new Error('two domains are needed');
  using reader = store.reader();
  const lastListed = () => [kept, dropped].map((domain) => reader.sources.everListing(domain)[0]?.lastAt);
  readOnce(store, 'a', candidates([kept, dropped]), 10);
  readOnce(store, 'a', [], 20, { end: { outcome: 'unchanged' } });
  expect(lastListed()).toEqual([20, 20]);
  readOnce(store, 'a', [], 25, { end: { outcome: 'failed' } });
  expect(lastListed()).toEqual([20, 20]);
  readOnce(store, 'a', candidates([kept]), 30);
  readOnce(store, 'a', [], 40, { end: { outcome: 'unchanged' } });
  expect(lastListed()).toEqual([40, 10]);
});

test('a domain listed by a small source does not wait behind the large source that listed it first', async () => {
  await using store = await openStore({ path: scratchPath() });
  const honest = sampleDomains(20, 5_000);
  readOnce(store, 'flood', candidates([...sampleDomains(3_000), ...honest]), 10);
  const due = store.due.pick(64, 20);
  expect(due.filter(({ record }) => honest.includes(record.domain))).toEqual([]);
  store.visits.record(due.map((picked) => recordedVisit(picked, 20)));
  readOnce(store, 'honest', candidates(honest), 30);
  const next = store.due.pick(64, 40).map(({ record }) => record.domain);
  expect(next.filter((domain) => honest.includes(domain))).toEqual(honest);
});

test('a domain of a small source keeps its rank when a large source lists it too', async () => {
  await using store = await openStore({ path: scratchPath() });
  const honest = sampleDomains(20, 5_000);
  readOnce(store, 'flood', candidates(sampleDomains(3_000)), 10);
  readOnce(store, 'honest', candidates(honest), 11);
  readOnce(store, 'flood', candidates([...sampleDomains(3_000), ...honest]), 12);
  const due = store.due.pick(64, 40).map(({ record }) => record.domain);
  expect(due.filter((domain) => honest.includes(domain))).toEqual(honest);
});
