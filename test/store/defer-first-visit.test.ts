import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { selectOthersOfSite } from '../../src/store/frontier/lease-domains.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { anyValue, planOf } from './plan-of.ts';
import { candidates, readOnce } from './sample-source.ts';
import { loopsVisit, recordedVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const MINUTE = 60_000;
const names = [
  'victim.example.org',
  'www.victim.example.org',
  'victim.example.org:8443',
  'www.victim.example.org:18800',
].map(storedDomain);
const other = storedDomain('clips.victim.example.org');

/** Leases and visits all due domains. */
function visitDue(store: Store, at: number): Domain[] {
  const leased = store.lease(100, at);
  store.record(leased.map((lease) => recordedVisit(lease, at, loopsVisit(lease.record.domain, at))));
  return leased.map(({ record }) => record.domain);
}

/** Visits due domains every minute, and returns the minute of the first visit to each. */
function firstVisitMinutes(store: Store, minutes: number): Map<Domain, number> {
  const first = new Map<Domain, number>();
  for (let minute = 0; minute < minutes; minute += 1) {
    for (const domain of visitDue(store, 1 + minute * MINUTE)) if (!first.has(domain)) first.set(domain, minute);
  }
  return first;
}

test.each([
  ['found by crawling', (store: Store) => store.enterFound([...names, other], 1, 50)],
  ['listed by one source', (store: Store) => readOnce(store, 'list', candidates([...names, other]), 1)],
  [
    'reported as Loops by one source, and listed by another',
    (store: Store) => {
      readOnce(store, 'hints', candidates(names.slice(0, 2), 'loops'), 1);
      readOnce(store, 'list', candidates([...names, other]), 1);
    },
  ],
])('the first visits to the names of one site are at least an hour apart: names %s', async (_how, enter) => {
  await using store = await openStore({ path: scratchPath() });
  enter(store);
  const firstMinutes = firstVisitMinutes(store, 300);
  expect(firstMinutes.get(other)).toBe(0);
  const times = names.map((name) => firstMinutes.get(name) ?? Number.NaN).sort((left, right) => left - right);
  // The store adds five minutes to each hour, so that a late visit does not defer the next.
  expect(times).toEqual([0, 65, 130, 195]);
});

test('a deferred first visit has a reason, and another domain takes its place in the lease', async () => {
  await using store = await openStore({ path: scratchPath() });
  const many = Array.from({ length: 30 }, (_, index) => storedDomain(`host${index}.example.net`));
  store.enterFound([...names, ...many], 1, 50);
  const leased = store.lease(20, 1).map(({ record }) => record.domain);
  expect(leased).toHaveLength(20);
  expect(leased.filter((domain) => names.includes(domain))).toHaveLength(1);
  using reader = store.reader();
  expect(reader.find(names[1] as Domain)).toMatchObject({
    nextVisit: 1 + 65 * MINUTE,
    nextVisitWhy: 'waits for another name of the same host; their first visits are at least an hour apart',
  });
});

test('each first visit is deferred once', async () => {
  const path = scratchPath();
  await using store = await openStore({ path, now: () => 1 });
  store.enter([other], 1);
  store.enterFound(names, 1, 50);
  store.record(store.lease(1, 1, { only: [other] }).map((lease) => recordedVisit(lease, 1)));
  const visited = Array.from({ length: 300 }, (_, minute) => visitDue(store, 5 + minute * MINUTE)).flat();
  expect(visited).toEqual(names);
});

test('a deferred domain that a user requests is visited at once', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enterFound(names, 1, 50);
  expect(visitDue(store, 1)).toHaveLength(1);
  const requested = names[2] as Domain;
  store.requestVisit([requested], 2);
  expect(store.lease(9, 2, { only: [requested] }).map(({ record }) => record.domain)).toEqual([requested]);
  store.releaseAll();
  expect(visitDue(store, 2)).toEqual([requested]);
});

test.each(['redirects to', 'has as its canonical host'])(
  'when a site %s another of its names, only that name is visited at once',
  async (how) => {
    await using store = await openStore({ path: scratchPath() });
    const [bare, www, third] = names as [Domain, Domain, Domain];
    store.enter([bare], 1);
    const visited = store.lease(9, 1).map((lease) => recordedVisit(lease, 1));
    const host = { ...loopsVisit(bare, 1).host, canonicalHost: how === 'redirects to' ? null : www };
    const aliasOf = how === 'redirects to' ? www : null;
    store.record(visited.map((result) => ({ ...result, after: { ...result.after, aliasOf, host } })));
    store.enterFound([www, third], 2, 50);
    expect(visitDue(store, 2)).toEqual([www]);
  },
);

test('later visits are not deferred, even if other names of the site wait', async () => {
  await using store = await openStore({ path: scratchPath() });
  const visitedNames = names.slice(0, 3);
  store.requestVisit(visitedNames, 1);
  expect(visitDue(store, 1)).toHaveLength(3);
  store.requestVisit(visitedNames, 10 * MINUTE);
  store.enterFound(names, 10 * MINUTE, 50);
  expect(visitDue(store, 10 * MINUTE).sort()).toEqual([...visitedNames].sort());
});

test('a name is visited at once if the site has had no recent visit, even if other names wait', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enter(names.slice(0, 1), 1);
  expect(visitDue(store, 1)).toHaveLength(1);
  store.enterFound(names, 61 * MINUTE, 50);
  expect(visitDue(store, 61 * MINUTE)).toHaveLength(1);
});

test('of 300 due names of a site only one is leased; of three further leases, one returns the domain of another site, the others none', async () => {
  await using store = await openStore({ path: scratchPath() });
  const ports = Array.from({ length: 300 }, (_, index) => storedDomain(`victim.example.org:${10_000 + index}`));
  readOnce(store, 'list', candidates([...ports, other]), 1);
  const leaseNames = () => store.lease(1, 1).map(({ record }) => record.domain);
  expect(leaseNames()).toEqual([expect.stringContaining('victim.example.org:')]);
  expect([1, 2, 3].flatMap(leaseNames)).toEqual([other]);
});

test('the other names of a site are found by index', async () => {
  const plan = await planOf((db) => selectOthersOfSite(db, anyValue));
  expect(plan.filter((step) => step.includes(' domains ')).map((step) => step.replace(/.*\(/, '('))).toEqual([
    '(domain=?)',
    '(domain>? AND domain<?)',
    '(domain=?)',
    '(domain>? AND domain<?)',
  ]);
});
