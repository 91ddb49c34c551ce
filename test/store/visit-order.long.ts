import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import { crawlInTime, groupOf, namesOf, otherVisit } from '../simulation/visit-order.ts';
import { candidates, readOnce } from './sample-source.ts';
import { loopsVisit, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 1);

test('a flood of 10,000 names reported as Loops delays no listed instance by more than a minute', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'instances', candidates(namesOf('instance', 60)), START);
  const visitOf = (domain: Parameters<typeof otherVisit>[0], at: number) =>
    groupOf(domain) === 'instance' ? { visit: loopsVisit(domain, at), hours: 1 } : otherVisit(domain, at);
  const rate = { visitsPerSecond: 0.5, batch: 4, visitOf };
  // The instances are visited once, then the flood arrives.
  const arrival = START + 15 * MINUTE;
  crawlInTime(store, { ...rate, from: START, until: arrival });
  readOnce(store, 'flood', candidates(namesOf('flood', 10_000), 'loops'), arrival);
  const figures = crawlInTime(store, { ...rate, from: arrival, until: START + 1.5 * HOUR });
  expect(figures('instance').visits).toBeGreaterThanOrEqual(60);
  expect(figures('instance').latestMs).toBeLessThan(60 * SECOND);
  expect(figures('flood').visits).toBeGreaterThan(1_500);
});

test('a new server that a source reports as Loops is visited within a minute, with a backlog of 10,000 new domains of that source', async () => {
  await using store = await openStore({ path: scratchPath() });
  const limits = { most: 10_000 };
  expect(readOnce(store, 'list', candidates(namesOf('backlog', 10_000)), START, { limits }).entered).toBe(10_000);
  let listed = 0;
  // A tenth of the default rate.
  const figures = crawlInTime(store, {
    from: START,
    until: START + 20 * MINUTE,
    visitsPerSecond: 2,
    batch: 64,
    visitOf: otherVisit,
    onPick(at) {
      if (listed > 15) return;
      readOnce(store, 'list', candidates([storedDomain(`reported-${listed++}.example.net`)], 'loops'), at - 1, {
        limits,
      });
    },
  });
  expect(figures('reported')).toMatchObject({ visits: 16 });
  expect(figures('reported').latestMs).toBeLessThan(MINUTE);
  expect(figures('backlog').visits).toBe(20 * 60 * 2 + 64 - 16 - 32);
});

test('ten sources of different size take turns, and what one adds each day does not wait for the backlog of the others', async () => {
  await using store = await openStore({ path: scratchPath() });
  const sizes = [10, 30, 100, 300, 500, 1_000, 2_000, 4_000, 5_000];
  for (const [index, size] of sizes.entries())
    readOnce(store, `source${index}`, candidates(namesOf(`source${index}`, size)), START);
  const secondsApart = 25;
  let day = -1;
  const figures = crawlInTime(store, {
    from: START,
    until: START + 2 * DAY,
    visitsPerSecond: 1 / secondsApart,
    batch: 8,
    visitOf: otherVisit,
    onPick(at) {
      const today = Math.floor((at - START) / DAY);
      if (today === day) return;
      day = today;
      readOnce(store, 'daily', candidates(namesOf('daily', 20, 20 * today)), at);
    },
  });
  expect(figures('daily').visits).toBe(40);
  // Each round visits one domain of each source that still has some: twenty rounds of ten take 5,000 s, a third more with the visits
  // that go by next visit.
  expect(figures('daily').latestMs).toBeLessThan(300 * secondsApart * SECOND);
  for (const [index, size] of sizes.slice(0, 5).entries()) {
    expect(figures(`source${index}`).visits).toBe(size);
    expect(figures(`source${index}`).lastAfterMs).toBeLessThan(size * 10 * secondsApart * 1.4 * SECOND + HOUR);
  }
  const [large, larger] = [figures('source7').visits, figures('source8').visits];
  expect(Math.abs(large - larger)).toBeLessThan(large / 10);
});

test('neither instances that fail without end nor a backlog of new domains starve the other known domains', async () => {
  await using store = await openStore({ path: scratchPath() });
  const visitOf = (domain: Parameters<typeof otherVisit>[0], at: number) => {
    if (groupOf(domain) === 'known') return { ...otherVisit(domain, at), hours: 3 };
    if (groupOf(domain) !== 'failing') return otherVisit(domain, at);
    return at < START + 2 * HOUR
      ? { visit: loopsVisit(domain, at), hours: 1 }
      : { visit: unreachableVisit(domain, at), hours: 1 };
  };
  const rate = { visitsPerSecond: 0.2, batch: 4, visitOf };
  readOnce(store, 'known', candidates(namesOf('known', 100)), START);
  readOnce(store, 'failing', candidates(namesOf('failing', 1_000)), START);
  crawlInTime(store, { ...rate, from: START, until: START + 2 * HOUR });
  readOnce(store, 'backlog', candidates(namesOf('backlog', 250)), START + 2 * HOUR);
  // 1,000 instances that fail each hour are more than the 720 visits of an hour.
  const figures = crawlInTime(store, { ...rate, from: START + 2 * HOUR, until: START + 8 * HOUR });
  const visits = 6 * 720;
  expect(figures('failing').visits).toBeGreaterThan(visits / 2);
  // A quarter goes by next visit alone: first the backlog, which is due for the longest time, then the known domains.
  expect(figures('backlog').visits).toBe(250);
  expect(figures('known').visits).toBeGreaterThanOrEqual(100);
  expect(figures('known').latestMs).toBeLessThan(6 * HOUR);
  expect(figures('failing').visits + figures('known').visits + figures('backlog').visits).toBe(visits);
});
