import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import { unvisitedRecord } from '../model/unvisited-record.ts';
import { recordedVisit, sampleDomains } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const [first, second, third] = ['a.example.org', 'b.example.org', 'c.example.org'].map(storedDomain);
if (!first || !second || !third) throw new Error('three domains are needed');

test('a new domain is due at once, and its unknown fields are null', async () => {
  await using store = await openStore({ path: scratchPath() });
  expect(store.domains.enter([first], 7)).toBe(1);
  using reader = store.reader();
  expect(reader.domains.find(first)).toEqual(unvisitedRecord(first, 7));
  expect(reader.domains.find(second)).toBeNull();
});

test('entering a known domain neither changes nor counts it', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([first, second], 1);
  expect(store.visits.record(store.due.pick(1, 1).map((picked) => recordedVisit(picked, 2)))).toEqual([]);
  using reader = store.reader();
  const before = [...reader.domains.all()];
  expect(store.domains.enter([first, second, third, third], 9)).toBe(1);
  expect([...reader.domains.all()].slice(0, 2)).toEqual(before);
});

test('the registrable domain is stored with the domain', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter(['videos.shop.example.co.uk', 'videos.example.org:8443'].map(storedDomain), 1);
  const registrableDomains = withSqlite(path, (sqlite) =>
    sqlite.prepare('select registrable_domain from domains order by 1').pluck().all(),
  );
  expect(registrableDomains).toEqual(['example.co.uk', 'example.org']);
});

test('requesting a visit makes a known domain due and enters an unknown one', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([first], 1);
  expect(store.visits.record(store.due.pick(1, 1).map((picked) => recordedVisit(picked, 2)))).toEqual([]);
  expect(store.due.pick(9, 100)).toEqual([]);
  expect(store.domains.requestVisit([first, second], 100)).toEqual({ optedOut: [] });
  expect(store.due.pick(9, 100).map(({ record }) => record.domain)).toEqual([first, second]);
});

test('an overdue domain keeps its position when requested', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([first], 1);
  store.domains.enter([second], 2);
  store.domains.requestVisit([first], 50);
  expect(store.due.pick(1, 60).map(({ record }) => record.domain)).toEqual([first]);
});

test('opted-out domains are neither entered nor made due', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([first, second], 1);
  store.optOuts.forget([first], 2);
  expect(store.domains.enter([first], 5)).toBe(0);
  expect(store.domains.requestVisit([first, second], 5)).toEqual({ optedOut: [first] });
  expect(store.due.pick(9, 1_000).map(({ record }) => record.domain)).toEqual([second]);
  using reader = store.reader();
  expect(reader.domains.find(first)).toBeNull();
});

test('many domains are entered, and only new ones are counted', async () => {
  await using store = await openStore({ path: scratchPath() });
  expect(store.domains.enter(sampleDomains(5_000), 1)).toBe(5_000);
  expect(store.domains.enter(sampleDomains(5_001), 1)).toBe(1);
});

test('found domains are entered only up to the limit per registrable domain; domains entered otherwise count towards it', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([first, second], 1);
  const found = sampleDomains(4);
  expect(store.domains.enterFound([...found, ...found], 2, 5)).toBe(3);
  expect(store.domains.enterFound([storedDomain('clips.example.net'), first], 2, 5)).toBe(1);
  using reader = store.reader();
  expect(reader.domains.counts(2).domains).toBe(6);
});

test('at most four found domains with a port are entered per host', async () => {
  await using store = await openStore({ path: scratchPath() });
  const ports = Array.from({ length: 40 }, (_, index) => storedDomain(`victim.example.net:${10_000 + index}`));
  expect(store.domains.enterFound(ports.slice(0, 3), 1, 50)).toBe(3);
  // The fourth port, and the host without a port.
  expect(store.domains.enterFound([...ports, storedDomain('victim.example.net')], 2, 50)).toBe(2);
});

test('a requested domain has the reason of the request', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([first, second], 100);
  store.domains.requestVisit([first], 50);
  store.domains.requestVisit([second], 50, { why: 'another leads to it' });
  using reader = store.reader();
  expect(reader.domains.find(first)).toMatchObject({ nextVisit: 50, nextVisitWhy: 'a user requested a visit' });
  expect(reader.domains.find(second)).toMatchObject({ nextVisit: 50, nextVisitWhy: 'another leads to it' });
});
