import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { hour, recordedVisit, sampleDomains, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const now = Date.UTC(2026, 7, 1);
const day = 24 * hour;

test('domains visited while the clock was ahead are rescheduled, and their history is unchanged', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(4);
  store.enter(domains, now - day);
  const [early, late, failed] = store.lease(3, now);
  if (!early || !late || !failed) throw new Error('three leases are needed');
  const failure = recordedVisit(failed, now + day, unreachableVisit(failed.record.domain, now + day));
  store.record([
    recordedVisit(early, now - hour),
    recordedVisit(late, now + day),
    { ...failure, after: { ...failure.after, failingSince: now + day } },
  ]);
  using reader = store.reader();
  const before = new Map([...reader.domains()].map((record) => [record.domain, record]));
  expect(store.repairFutureTimestamps(now)).toBe(2);
  for (const record of reader.domains()) {
    const isMoved = record.domain === late.record.domain || record.domain === failed.record.domain;
    const recordBefore = before.get(record.domain);
    expect(record).toEqual(isMoved ? { ...recordBefore, nextVisit: now + 6 * hour } : recordBefore);
  }
  expect(before.get(failed.record.domain)).toMatchObject({ stateSince: now + day, failingSince: now + day });
  expect([...reader.visitsOf(late.record.domain)]).toMatchObject([{ at: now + day }]);
});

test('no history is lost when the clock goes back a day and is corrected', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enter(sampleDomains(3), now - hour);
  const [lease] = store.lease(1, now);
  if (!lease) throw new Error('a lease is needed');
  store.record([recordedVisit(lease, now)]);
  using reader = store.reader();
  const times = () =>
    [...reader.domains()].map(({ firstSeen, stateSince, lastVisit, lastSeen, failures, failingSince }) => ({
      firstSeen,
      stateSince,
      lastVisit,
      lastSeen,
      failures,
      failingSince,
    }));
  const before = times();
  expect(store.repairFutureTimestamps(now - day)).toBe(3);
  expect(times()).toEqual(before);
  // The next visit of the visited domain is restored.
  expect(store.repairFutureTimestamps(now)).toBe(1);
  expect(times()).toEqual(before);
});

test('a second repair does not reschedule a domain again', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [domain] = sampleDomains(1);
  if (!domain) throw new Error('a domain is needed');
  store.enter([domain], now - day);
  const [lease] = store.lease(1, now);
  if (!lease) throw new Error('a lease is needed');
  const result = recordedVisit(lease, now + day);
  store.record([{ ...result, after: { ...result.after, nextVisit: now + 31 * day } }]);
  using reader = store.reader();
  expect(store.repairFutureTimestamps(now)).toBe(1);
  expect(reader.find(domain)?.nextVisit).toBe(now + 30 * day);
  expect([store.repairFutureTimestamps(now), store.repairFutureTimestamps(now + hour)]).toEqual([0, 0]);
  expect(reader.find(domain)?.nextVisit).toBe(now + 30 * day);
});

test('a lease lost while the clock was ahead no longer delays its domain', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [domain] = sampleDomains(1);
  if (!domain) throw new Error('a domain is needed');
  store.enter([domain], now - day);
  const years = 5 * 365 * day;
  const [first] = store.lease(1, now);
  if (!first) throw new Error('a lease is needed');
  store.record([recordedVisit(first, now + years)]);
  store.abandonLeases(store.lease(1, now + years + day), now + years + day);
  expect(store.repairFutureTimestamps(now)).toBe(1);
  using reader = store.reader();
  const nextVisit = reader.find(domain)?.nextVisit;
  expect(nextVisit).toBeGreaterThan(now);
  expect(nextVisit).toBeLessThanOrEqual(now + 6 * hour);
});

test('a repair is idempotent', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter(sampleDomains(5), now - day);
  store.record(store.lease(5, now).map((lease) => recordedVisit(lease, now + day)));
  expect(store.repairFutureTimestamps(now)).toBe(5);
  using reader = store.reader();
  const afterFirstRepair = [...reader.domains()];
  expect(store.repairFutureTimestamps(now)).toBe(0);
  expect([...reader.domains()]).toEqual(afterFirstRepair);
});

test('a domain entered while the clock was ahead is due at once', async () => {
  await using store = await openStore({ path: scratchPath() });
  const domains = sampleDomains(2);
  store.enter(domains, now + day);
  expect(store.lease(2, now)).toEqual([]);
  expect(store.repairFutureTimestamps(now)).toBe(2);
  expect(store.lease(2, now).map(({ record }) => record)).toMatchObject([
    { firstSeen: now + day, stateSince: now + day, nextVisit: now },
    { firstSeen: now + day, stateSince: now + day, nextVisit: now },
  ]);
});

test('a repair leaves unknown times null, and changes no opt-out', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [domain, forgotten] = sampleDomains(2);
  if (!domain || !forgotten) throw new Error('two domains are needed');
  store.enter([domain], now + day);
  store.forget([forgotten], now + day);
  withSqlite(path, (sqlite) => sqlite.exec(`update domains set next_visit = null where state = 'new'`));
  store.repairFutureTimestamps(now);
  using reader = store.reader();
  expect(reader.find(domain)).toMatchObject({ lastVisit: null, lastSeen: null, failingSince: null, nextVisit: null });
  expect(reader.listingOf(forgotten)).toMatchObject({ because: 'opted-out', since: now + day });
});

test('when a clock that was years ahead is corrected, the next visits are spread over their interval', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enter(sampleDomains(200), now - day);
  const ahead = now + 400 * day;
  store.record(store.lease(200, ahead).map((lease) => recordedVisit(lease, ahead)));
  expect(store.repairFutureTimestamps(now)).toBe(200);
  using reader = store.reader();
  const perHour = Array.from({ length: 6 }, () => 0);
  for (const { nextVisit } of reader.domains()) {
    const slot = Math.floor(((nextVisit ?? 0) - now) / hour);
    perHour[slot] = (perHour[slot] ?? 0) + 1;
  }
  for (const count of perHour) expect(Math.abs(count - 200 / 6)).toBeLessThan(10);
  expect(store.repairFutureTimestamps(now + hour)).toBe(0);
});

test('when a clock that was years behind is corrected, the next visits are the same as before', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enter(sampleDomains(20), now - day);
  store.record(store.lease(20, now).map((lease, index) => recordedVisit(lease, now - index * 60_000)));
  using reader = store.reader();
  const nextVisits = () => [...reader.domains()].map(({ nextVisit }) => nextVisit ?? 0);
  const before = nextVisits();
  const behind = now - 400 * day;
  expect(store.repairFutureTimestamps(behind)).toBe(20);
  expect(new Set(nextVisits()).size).toBe(20);
  expect(nextVisits().every((nextVisit) => nextVisit > behind && nextVisit <= behind + 6 * hour)).toBe(true);
  expect(store.repairFutureTimestamps(behind + hour)).toBe(0);
  expect(store.repairFutureTimestamps(now)).toBe(20);
  expect(nextVisits()).toEqual(before);
  expect(store.repairFutureTimestamps(now)).toBe(0);
});
