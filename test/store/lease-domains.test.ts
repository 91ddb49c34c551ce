import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { LeasedDomain } from '../../src/store/store.ts';
import { recordedVisit, sampleDomains } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const domainsNamed = (...names: string[]): Domain[] => names.map((name) => storedDomain(`${name}.example.org`));
const leasedNames = (leased: readonly LeasedDomain[]): Domain[] => leased.map(({ record }) => record.domain);

test('a lease takes due domains up to the limit, the longest overdue first', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enter(domainsNamed('late'), 30);
  store.enter(domainsNamed('early', 'early-too'), 10);
  store.enter(domainsNamed('middle'), 20);
  store.enter(domainsNamed('not-yet'), 31);
  expect(leasedNames(store.lease(3, 30))).toEqual(domainsNamed('early', 'early-too', 'middle'));
  expect(leasedNames(store.lease(3, 30))).toEqual(domainsNamed('late'));
  expect(store.lease(3, 30)).toEqual([]);
  expect(store.lease(0, 99)).toEqual([]);
});

test('a lease can be limited to given domains', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enter(domainsNamed('a', 'b', 'c', 'd'), 1);
  store.enter(domainsNamed('later'), 50);
  expect(leasedNames(store.lease(9, 1, { only: new Set(domainsNamed('c', 'a', 'later', 'unknown')) }))).toEqual(
    domainsNamed('a', 'c'),
  );
  expect(store.lease(9, 1, { only: domainsNamed('a') })).toEqual([]);
  expect(store.lease(9, 1, { only: [] })).toEqual([]);
  expect(leasedNames(store.lease(9, 1, { only: undefined }))).toEqual(domainsNamed('b', 'd'));
});

test('two owners never lease the same domain', async () => {
  const path = scratchPath();
  await using first = await openStore({ path });
  await using second = await openStore({ path });
  expect([first.reclaimed, second.reclaimed]).toEqual([0, 0]);
  first.enter(sampleDomains(100), 1);
  const leased = Array.from({ length: 10 }, () => [...first.lease(5, 1), ...second.lease(5, 1)]).flat();
  expect(new Set(leasedNames(leased)).size).toBe(100);
});

test('a released lease leaves the domain due and does not count as lost', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter(domainsNamed('a'), 1);
  store.release(store.lease(1, 5));
  expect(leasedNames(store.lease(1, 5))).toEqual(domainsNamed('a'));
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select leases_lost from domains').pluck().get())).toBe(0);
});

test('closing a store releases its leases', async () => {
  const path = scratchPath();
  await using observer = await openStore({ path });
  {
    await using store = await openStore({ path });
    store.enter(domainsNamed('a', 'b'), 1);
    store.lease(2, 1);
    expect(observer.lease(2, 1)).toEqual([]);
  }
  expect(observer.lease(2, 1)).toHaveLength(2);
});

test('another owner can take an expired lease, but not a renewed one', async () => {
  const path = scratchPath();
  await using stalled = await openStore({ path, leaseMs: 100 });
  await using other = await openStore({ path, leaseMs: 100 });
  stalled.enter(domainsNamed('a'), 1);
  const [lease] = stalled.lease(1, 1_000);
  stalled.renew(1_050);
  expect(other.lease(1, 1_149)).toEqual([]);
  expect(leasedNames(other.lease(1, 1_150))).toEqual(domainsNamed('a'));
  if (!lease) throw new Error('nothing was leased');
  const late = recordedVisit(lease, 1_160);
  expect(stalled.record([late])).toEqual({ recorded: 0, lost: [late] });
  stalled.renew(1_160);
  stalled.release([lease]);
  expect(stalled.lease(1, 1_160)).toEqual([]);
});

test('a lease is valid until it is released, used, or taken by another owner', async () => {
  const path = scratchPath();
  await using store = await openStore({ path, leaseMs: 100 });
  await using other = await openStore({ path, leaseMs: 100 });
  store.enter(domainsNamed('a', 'b', 'c'), 1);
  const [taken, used, returned] = store.lease(3, 1_000);
  if (!taken || !used || !returned) throw new Error('three leases are needed');
  expect([taken, used, returned].map(store.holds)).toEqual([true, true, true]);
  expect(other.holds(taken)).toBe(false);
  store.record([recordedVisit(used, 1_010)]);
  store.release([returned]);
  expect(other.lease(1, 1_100, { only: [taken.record.domain] })).toHaveLength(1);
  expect([taken, used, returned].map(store.holds)).toEqual([false, false, false]);
  const [again] = store.lease(1, 1_100);
  expect(again?.record.domain).toBe(returned.record.domain);
  expect(again && store.holds(again)).toBe(true);
  expect(store.holds(returned)).toBe(false);
});

test('an owner does not reclaim its own expired leases', async () => {
  await using store = await openStore({ path: scratchPath(), leaseMs: 100 });
  store.enter(domainsNamed('a'), 1);
  const [lease] = store.lease(1, 1_000);
  expect(store.lease(1, 9_000)).toEqual([]);
  if (!lease) throw new Error('nothing was leased');
  expect(store.record([recordedVisit(lease, 9_000)])).toEqual({ recorded: 1, lost: [] });
});

test('a domain waits longer after each consecutive lost lease, and a recorded visit resets the count', async () => {
  const path = scratchPath();
  const domain = domainsNamed('poison');
  let at = 1_000;
  await using first = await openStore({ path, leaseMs: 10 });
  await using second = await openStore({ path, leaseMs: 10 });
  first.enter(domain, at);
  const owners = [first, second];
  const waits: number[] = [];
  for (let lost = 0; lost < 5; lost += 1) {
    const [holder, taker] = lost % 2 === 0 ? owners : [...owners].reverse();
    if (!holder || !taker) throw new Error('two owners are needed');
    expect(holder.lease(1, at)).toHaveLength(1);
    at += 10;
    const taken = taker.lease(1, at);
    if (taken.length > 0) taker.release(taken);
    const next = taken.length > 0 ? at : taker.nextRetryAfterLostLease(at);
    if (next === null) throw new Error('no domain waits');
    waits.push(next - at);
    at = next;
  }
  expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000]);
  const [lease] = first.lease(1, at);
  if (!lease) throw new Error('nothing was leased');
  expect(lease.record.nextVisitWhy).toBe('5 visits in a row were cut off before they ended');
  first.record([recordedVisit(lease, at)]);
  expect(first.nextRetryAfterLostLease(at)).toBeNull();
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select leases_lost from domains').pluck().get())).toBe(0);
});

test('the next retry after a lost lease ignores domains that are due or have lost no lease', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter(domainsNamed('a', 'b', 'c', 'd'), 1);
  store.enter(domainsNamed('plain'), 5_000);
  const setLostLeases = (name: string, nextVisit: number) =>
    withSqlite(path, (sqlite) =>
      sqlite
        .prepare('update domains set leases_lost = 2, next_visit = ? where domain = ?')
        .run(nextVisit, `${name}.example.org`),
    );
  setLostLeases('a', 9_000);
  setLostLeases('b', 8_000);
  setLostLeases('c', 100);
  expect(store.nextRetryAfterLostLease(100)).toBe(8_000);
  expect(store.nextRetryAfterLostLease(8_000)).toBe(9_000);
  expect(store.nextRetryAfterLostLease(9_000)).toBeNull();
  expect(store.nextRetryAfterLostLease(100, { only: domainsNamed('a', 'd') })).toBe(9_000);
  expect(store.nextRetryAfterLostLease(100, { only: domainsNamed('d') })).toBeNull();
});
