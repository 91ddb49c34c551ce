import { expect, test } from 'vitest';
import type { Domain } from '../../src/model/domain/domain.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { openStore } from '../../src/store/open-store.ts';
import { compact } from '../../src/store/retention/compact.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const start = Date.UTC(2025, 0, 1);
const day = 24 * hour;
const domains = sampleDomains(4);
const retention = { stepsDays: 30, documentsDays: 30, visitsDays: 400, usageDays: 400, unlistedDays: 90 };

const readState = (reader: StoreReader, at: number) => ({
  domains: [...reader.domains()].map((record) => {
    const { domain, verdict, reason, identifiedAs, state, via, software, version } = record;
    const { firstSeen, lastVisit, lastSeen, nextVisit } = record;
    return {
      domain,
      verdict,
      reason,
      identifiedAs,
      state,
      via,
      software,
      version,
      firstSeen,
      lastVisit,
      lastSeen,
      nextVisit,
    };
  }),
  instances: [...reader.instances(at)].map(({ domain, facts, uptime }) => ({ domain, facts, uptime })),
});

/** Visits the domains `visited` at `at`; `isUp` receives the index of each in `domains`. */
function visitAll(store: Store, at: number, visited: readonly Domain[], isUp: (index: number) => boolean): void {
  store.requestVisit(visited, at);
  const results = store.lease(visited.length, at, { only: visited }).map((lease) => {
    const { domain } = lease.record;
    return recordedVisit(
      lease,
      at,
      isUp(domains.indexOf(domain)) ? loopsVisit(domain, at) : unreachableVisit(domain, at),
    );
  });
  expect(store.record(results).recorded).toBe(visited.length);
}

const asOf = (path: string, at: number) => openReader(path, { busyTimeoutMs: 50, asOf: { at } });

test('compaction keeps the last expired visit of each domain, so that past states within the retention stay complete', async () => {
  const path = scratchPath();
  const clock = { at: start };
  await using store = await openStore({ path, now: () => clock.at });
  store.enter(domains, start);
  const expectedStates = new Map<number, unknown>();
  for (let days = 0; days <= 480; days += 20) {
    clock.at = start + days * day;
    // The first domain is down from day 40 on; the second is visited every 120 days.
    const visited = domains.filter((_, index) => index !== 1 || days % 120 === 0);
    visitAll(store, clock.at, visited, (index) => index !== 0 || days < 40);
    const later = clock.at + 7 * hour;
    using reader = store.reader({ snapshot: true });
    expectedStates.set(later, readState(reader, later));
  }
  clock.at += day;
  const retainedSince = clock.at - 400 * day;
  await compact({ path, at: clock.at, retention, pause: async () => undefined });
  let compared = 0;
  for (const [at, expected] of expectedStates) {
    if (at < retainedSince) {
      expect(() => asOf(path, at)).toThrow(`visits before ${new Date(retainedSince).toISOString()} have been deleted`);
    } else if (at >= retainedSince + 31 * day) {
      // The first 31 retained days are skipped: the uptime of their states covers a month with deleted visits.
      using reader = asOf(path, at);
      expect(readState(reader, at), new Date(at).toISOString()).toEqual(expected);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(15);
});

test('a past state before the first visit is refused with the time of that visit; without visits, every past state is refused', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path, now: () => start + 5 });
    expect(() => asOf(path, start)).toThrow('no visit was ever recorded');
    store.enter(domains, start);
    visitAll(store, start + 3, domains, () => true);
  }
  expect(() => asOf(path, start + 4)).toThrow(
    'The state at 2025-01-01T00:00:00.004Z is not available: the first visit was recorded at 2025-01-01T00:00:00.005Z; name a later time.',
  );
  using reader = asOf(path, start + 5);
  expect([...reader.instances(start + 5)]).toHaveLength(4);
});

test('a past state includes a visit from the time it was recorded, not from the time it started', async () => {
  const path = scratchPath();
  const clock = { at: start };
  await using store = await openStore({ path, now: () => clock.at });
  store.enter(domains, start);
  visitAll(store, start, domains, () => true);
  clock.at = start + hour + 9_000;
  visitAll(store, start + hour, domains.slice(0, 1), () => false);
  const stateAt = (at: number) => {
    using reader = asOf(path, at);
    return domains[0] && reader.find(domains[0])?.state;
  };
  expect([stateAt(start + hour + 8_999), stateAt(start + hour + 9_000)]).toEqual(['active', 'failing']);
});

test('a crawl can record visits while a past state is read, and they do not change that state', async () => {
  const path = scratchPath();
  const clock = { at: start };
  await using store = await openStore({ path, now: () => clock.at });
  store.enter(domains, start);
  visitAll(store, start, domains, () => true);
  using past = asOf(path, start + hour);
  clock.at = start + 2 * hour;
  visitAll(store, clock.at, domains, () => false);
  expect([...past.domains()].every(({ state }) => state === 'active')).toBe(true);
  using present = store.reader();
  expect([...present.domains()].every(({ state }) => state === 'failing')).toBe(true);
});
