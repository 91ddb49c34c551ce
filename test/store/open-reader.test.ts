import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { openStore } from '../../src/store/open-store.ts';
import { loopsVisit, recordedVisit, sampleDomains, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

test('domains and instances are read in binary order, whatever the order of entry', async () => {
  await using store = await openStore({ path: scratchPath() });
  const names = ['b.example.org', 'a.example.org:8443', 'a.example.org', 'a-b.example.org', 'xn--a-0ga.example.org'];
  store.domains.enter(names.map(storedDomain), 1);
  store.visits.record(store.due.pick(9, 1).map((picked) => recordedVisit(picked, 1)));
  using reader = store.reader();
  const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect([...reader.domains.all()].map(({ domain }) => domain)).toEqual(sorted);
  expect([...reader.instances.listed(1)].map(({ domain }) => domain)).toEqual(sorted);
});

test('only listed domains are instances', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter(sampleDomains(5), 1);
  store.visits.record(store.due.pick(5, 1).map((picked) => recordedVisit(picked, 1)));
  const states = ['active', 'failing', 'dead', 'gone'];
  withSqlite(path, (sqlite) => {
    for (const [index, state] of states.entries()) {
      sqlite.prepare('update domains set state = ? where id = ?').run(state, index + 1);
    }
    sqlite.exec(`update domains set identified_as = 'other' where id = 5`);
  });
  using reader = store.reader();
  expect([...reader.instances.listed(1)].map(({ state }) => state).sort()).toEqual(['active', 'failing']);
  expect(reader.domains.counts(1).listed).toBe(2);
});

test('a reader counts known, due and listed domains', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter(sampleDomains(10), 1);
  const visits = store.due.pick(6, 1).map((picked, index) => {
    const { domain } = picked.record;
    if (index < 2) return recordedVisit(picked, 2, unreachableVisit(domain, 2));
    return recordedVisit(picked, 2, loopsVisit(domain, 2, { version: index === 2 ? '1.0' : '2.0' }));
  });
  store.visits.record(visits);
  store.due.pick(1, 1);
  store.optOuts.forget(sampleDomains(10).slice(9), 2);
  using reader = store.reader();
  expect(reader.domains.counts(1)).toEqual({ domains: 9, listed: 4, due: 2 });
});

test('counts of an empty database are zero', async () => {
  await using store = await openStore({ path: scratchPath() });
  using reader = store.reader();
  expect(reader.domains.counts(1)).toEqual({ domains: 0, listed: 0, due: 0 });
});

test('a reader can run several iterations at once and abandon them early', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter(sampleDomains(50), 1);
  using reader = store.reader();
  const abandoned = reader.domains.all() as IterableIterator<DomainRecord>;
  const complete = reader.domains.all() as IterableIterator<DomainRecord>;
  expect(abandoned.next().value).toEqual(complete.next().value);
  for (const _ of abandoned) break;
  expect([...complete]).toHaveLength(49);
  expect(reader.visits.lastId()).toBe(0);
});

test('a crawl can record during an iteration', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter(sampleDomains(50), 1);
  using reader = store.reader();
  const rows = reader.domains.all() as IterableIterator<DomainRecord>;
  rows.next();
  expect(store.visits.record(store.due.pick(50, 1).map((picked) => recordedVisit(picked, 1)))).toEqual([]);
  expect([...rows].every(({ state }) => state === 'new')).toBe(true);
  expect([...reader.domains.all()].every(({ state }) => state === 'active')).toBe(true);
});

test('a snapshot does not see later commits', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter(sampleDomains(2), 1);
  using snapshot = store.reader({ snapshot: true });
  using current = store.reader();
  store.visits.record(store.due.pick(2, 1).map((picked) => recordedVisit(picked, 1)));
  expect([...snapshot.instances.listed(1)]).toHaveLength(0);
  expect(snapshot.visits.lastId()).toBe(0);
  expect([...current.instances.listed(1)]).toHaveLength(2);
});

test('reading invalid stored facts throws a StoreError', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter(sampleDomains(1), 1);
  store.visits.record(store.due.pick(1, 1).map((picked) => recordedVisit(picked, 1)));
  withSqlite(path, (sqlite) => sqlite.exec(`update fact_sets set facts = '{"name":'`));
  using reader = store.reader();
  expect(() => [...reader.instances.listed(1)]).toThrowError(expect.objectContaining({ code: 'corrupt' }));
});
