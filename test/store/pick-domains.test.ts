import { describe, expect, onTestFinished, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { PRIORITY } from '../../src/model/priority.ts';
import type { PickedDomain } from '../../src/store/domains/pick-domains.ts';
import { waitAfterCrashesMs } from '../../src/store/domains/pick-domains.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { planOf } from './plan-of.ts';
import { candidates, readOnce } from './sample-source.ts';
import { hour, recordedVisit, sampleDomains, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const MINUTE = 60_000;
const DAY = 24 * hour;

async function openScratch(path = scratchPath()): Promise<Store> {
  const store = await openStore({ path });
  onTestFinished(async () => store[Symbol.asyncDispose]());
  return store;
}

const names = (picked: readonly PickedDomain[]) => picked.map(({ record }) => record.domain);

/** Visits domains, by default as Loops instances; the next visit is due after six hours. */
function visitAll(store: Store, domains: readonly Domain[], at: number, hasFailed = false): void {
  store.domains.requestVisit(domains, at);
  const picked = store.due.pick(domains.length, at, domains);
  store.visits.record(
    picked.map((one) => recordedVisit(one, at, hasFailed ? unreachableVisit(one.record.domain, at) : undefined)),
  );
}

describe('due domains', () => {
  test('are picked by priority: requested, instances, reported as Loops, new, other known', async () => {
    const store = await openScratch();
    const [instance, reported, fresh, known, requested] = ['instance', 'reported', 'new', 'known', 'requested'].map(
      (name) => storedDomain(`${name}.example.org`),
    ) as [Domain, Domain, Domain, Domain, Domain];
    visitAll(store, [instance], 1);
    visitAll(store, [known], 1, true);
    readOnce(store, 'a', candidates([fresh]), DAY);
    readOnce(store, 'a', candidates([reported], 'loops'), DAY);
    store.domains.requestVisit([requested], DAY);
    const inTurn = [requested, instance, reported, fresh, known];
    for (const expected of inTurn) expect(names(store.due.pick(1, DAY))).toEqual([expected]);
    expect(store.due.pick(9, DAY)).toEqual([]);
  });

  test('are not picked before they are due, nor while they are being visited', async () => {
    const store = await openScratch();
    store.domains.requestVisit(sampleDomains(3), 10);
    expect([store.due.hasFirst(9), store.due.hasFirst(10)]).toEqual([false, true]);
    expect(store.due.pick(9, 9)).toEqual([]);
    const picked = store.due.pick(2, 10);
    expect([picked.length, store.due.pick(9, 10).length, store.due.hasFirst(10)]).toEqual([2, 1, false]);
    store.due.release(picked);
    expect(names(store.due.pick(9, 10))).toEqual(names(picked));
  });

  test('are picked to a quarter by next visit alone, so that no priority starves another', async () => {
    const store = await openScratch();
    const known = sampleDomains(10);
    visitAll(store, known, 1, true);
    readOnce(store, 'flood', candidates(sampleDomains(1_000, 100)), DAY);
    const picked = names(store.due.pick(16, DAY));
    expect(picked).toHaveLength(16);
    expect(picked.filter((domain) => known.includes(domain))).toHaveLength(4);
  });

  test('of sources take turns, whatever the size of the sources', async () => {
    const store = await openScratch();
    const small = sampleDomains(10, 5_000);
    readOnce(store, 'large', candidates(sampleDomains(3_000)), 10);
    readOnce(store, 'small', candidates(small), 11);
    expect(names(store.due.pick(32, 20)).filter((domain) => small.includes(domain))).toHaveLength(10);
  });

  test('that a source adds each day come before the backlog of others', async () => {
    const store = await openScratch();
    readOnce(store, 'large', candidates(sampleDomains(3_000)), 10);
    for (let day = 1; day <= 5; day += 1) {
      const added = sampleDomains(5, 5_000 + day * 10);
      readOnce(store, 'daily', candidates(added), day * DAY);
      const picked = store.due.pick(64, day * DAY);
      expect(names(picked).filter((domain) => added.includes(domain))).toHaveLength(5);
      store.visits.record(
        picked.map((one) => recordedVisit(one, day * DAY, unreachableVisit(one.record.domain, day * DAY))),
      );
    }
  });

  test('reported as Loops wait up to a thousand of a source; the others wait among the new ones', async () => {
    const store = await openScratch();
    const other = storedDomain('other.example.com');
    readOnce(store, 'liar', candidates(sampleDomains(1_500), 'loops'), 10);
    readOnce(store, 'honest', candidates([other]), 11);
    const picked = store.due.pick(2_000, 20);
    const count = (priority: number) => picked.filter((one) => one.priority === priority).length;
    expect([count(PRIORITY.reported), count(PRIORITY.new)]).toEqual([1_000, 501]);
  });

  test('that users request come first, up to a hundred at a time', async () => {
    const store = await openScratch();
    store.domains.requestVisit(sampleDomains(150), 10);
    expect(store.due.pickFirst(999, 10)).toHaveLength(100);
    expect(store.due.pick(999, 10).map(({ priority, requestedBy }) => [priority, requestedBy])).toEqual(
      Array(50).fill([PRIORITY.new, 'user']),
    );
  });

  test('that are requested while they are being visited stay due, whatever becomes of the visit', async () => {
    const store = await openScratch();
    const endings: ((picked: PickedDomain) => void)[] = [
      (picked) => store.visits.record([recordedVisit(picked, DAY)]),
      (picked) => store.due.defer(picked, { until: 2 * DAY, why: 'too many' }),
      (picked) => store.due.release([picked]),
    ];
    for (const end of endings) {
      const [domain] = sampleDomains(1) as [Domain];
      store.domains.requestVisit([domain], DAY);
      for (const origin of ['submission', 'user'] as const) {
        const [picked] = store.due.pick(1, DAY) as [PickedDomain];
        store.domains.requestVisit([domain], DAY, { origin });
        expect(store.due.pick(9, DAY)).toEqual([]);
        end(picked);
        const again = store.due.pick(1, DAY);
        expect(again).toMatchObject([{ record: { domain }, priority: PRIORITY.first, requestedBy: origin }]);
        store.due.release(again);
      }
      store.visits.record(store.due.pick(1, DAY).map((one) => recordedVisit(one, DAY)));
      expect(store.due.pick(9, DAY)).toEqual([]);
    }
  });

  test('that are deferred are picked at the new time, and keep their priority if they are instances', async () => {
    const store = await openScratch();
    const [instance, fresh] = sampleDomains(2) as [Domain, Domain];
    visitAll(store, [instance], 1);
    store.domains.enter([fresh], DAY);
    for (const picked of store.due.pick(2, DAY)) store.due.defer(picked, { until: DAY + MINUTE, why: 'too many' });
    expect(store.due.pick(9, DAY + MINUTE - 1)).toEqual([]);
    const picked = store.due.pick(9, DAY + MINUTE);
    expect(picked.map(({ record, priority }) => [record.domain, priority])).toEqual([
      [instance, PRIORITY.instance],
      [fresh, PRIORITY.known],
    ]);
    expect(picked[0]?.record.nextVisitWhy).toBe('too many');
  });

  test('reported as Loops keep their place when they are deferred, or were cut off', async () => {
    const store = await openScratch();
    const [deferred, cutOff] = sampleDomains(2) as [Domain, Domain];
    readOnce(store, 'flood', candidates(sampleDomains(50, 100)), 1);
    readOnce(store, 'a', candidates([deferred, cutOff], 'loops'), DAY);
    const [first, second] = store.due.pick(3, DAY) as [PickedDomain, PickedDomain];
    store.due.defer(first, { until: DAY + MINUTE, why: 'too many' });
    store.due.countCrash(second, DAY);
    expect(names(store.due.pick(1, DAY))).toEqual([cutOff]);
    expect(names(store.due.pick(1, DAY + MINUTE))).toEqual([deferred]);
  });

  test('keep the priority of an instance for 90 days after its death', async () => {
    const store = await openScratch();
    const [domain] = sampleDomains(1) as [Domain];
    visitAll(store, [domain], 1);
    const dieAt = (at: number) => {
      const [picked] = store.due.pick(1, at) as [PickedDomain];
      const failed = recordedVisit(picked, at, unreachableVisit(domain, at));
      store.visits.record([{ ...failed, after: { ...failed.after, state: 'dead', stateSince: DAY } }]);
    };
    const nextPriority = (at: number) => {
      const picked = store.due.pick(1, at);
      store.due.release(picked);
      return picked[0]?.priority;
    };
    dieAt(DAY);
    expect(nextPriority(2 * DAY)).toBe(PRIORITY.instance);
    dieAt(91 * DAY);
    expect(nextPriority(92 * DAY)).toBe(PRIORITY.known);
  });

  test('visited or entered while the clock was ahead keep their interval from now on, also after several corrections', async () => {
    const store = await openScratch();
    const [ahead, usual, entered] = sampleDomains(3) as [Domain, Domain, Domain];
    visitAll(store, [usual], DAY);
    visitAll(store, [ahead], 9 * DAY);
    store.domains.enter([entered], 9 * DAY);
    using reader = store.reader();
    const nextVisits = () => [usual, ahead, entered].map((domain) => reader.domains.find(domain)?.nextVisit);
    expect(store.due.bringForward(2 * DAY)).toBe(2);
    expect(nextVisits()).toEqual([DAY + 6 * hour, 2 * DAY + 6 * hour, 2 * DAY]);
    store.due.bringForward(2 * DAY + hour);
    expect(nextVisits()[1]).toBeLessThanOrEqual(2 * DAY + 6 * hour);
    expect(names(store.due.pick(9, 3 * DAY)).toSorted()).toEqual([usual, ahead, entered].toSorted());
  });
});

describe('a visit that ended with its process', () => {
  test.each([
    [0, 0],
    [1, 0],
    [2, 1_000],
    [3, 2_000],
    [12, 1_024_000],
    [40, 30 * DAY],
    [2_000, 30 * DAY],
  ])('makes its domain wait after %i in a row for %i ms', (crashes, waitMs) => {
    expect(waitAfterCrashesMs(crashes)).toBe(waitMs);
  });

  test('costs nothing at first, then doubles the wait of its domain, and a recorded visit ends that', async () => {
    const path = scratchPath();
    const store = await openScratch(path);
    const [domain] = sampleDomains(1) as [Domain];
    store.domains.enter([domain], 1);
    let at = 10;
    const waits: number[] = [];
    for (let crash = 0; crash < 6; crash += 1) {
      expect(store.due.pick(1, at)).toHaveLength(1);
      const crawling = store.startCrawling({ command: 'crawl', pid: 1, since: at });
      expect(crawling).toHaveProperty('cutOff', 1);
      if (!('heldBy' in crawling)) crawling[Symbol.dispose]();
      using reader = store.reader();
      const nextVisit = reader.domains.find(domain)?.nextVisit ?? 0;
      waits.push(Math.max(0, nextVisit - at));
      at = Math.max(at, nextVisit);
    }
    expect(waits[0]).toBe(0);
    // The waits of domains that were cut off together differ, from half to one and a half times the wait.
    for (const [index, wait] of waits.slice(1).entries()) {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(wait).toBeLessThan(1_500 * 2 ** index);
    }
    const [picked] = store.due.pick(1, at) as [PickedDomain];
    expect(picked.crashes).toBe(6);
    store.visits.record([recordedVisit(picked, at)]);
    expect(store.due.pick(1, at + 6 * hour)[0]?.crashes).toBe(0);
  });
});

test('a requested domain keeps its place when the process dies during its visit', async () => {
  const store = await openScratch();
  const [requested, ...others] = sampleDomains(100) as [Domain, ...Domain[]];
  store.domains.enter(others, 1);
  store.domains.requestVisit([requested], 5);
  expect(names(store.due.pick(1, 10))).toEqual([requested]);
  expect(store.due.recover(11)).toBe(1);
  expect(store.due.pick(1, 11)).toMatchObject([{ record: { domain: requested }, requestedBy: 'user', crashes: 1 }]);
});

test('a host whose visit kills the process blocks nobody, and waits longer each time', async () => {
  const store = await openScratch();
  const deadly = storedDomain('deadly.example.com');
  const others = sampleDomains(200);
  store.domains.enter([...others.slice(0, 100), deadly, ...others.slice(100)], 1);
  using reader = store.reader();
  const waits: number[] = [];
  let at = 10;
  for (let visited = 0; visited < others.length; at += 100) {
    const picked = store.due.pick(64, at);
    if (!names(picked).includes(deadly)) {
      store.visits.record(picked.map((one) => recordedVisit(one, at)));
      visited += picked.length;
      continue;
    }
    // The process dies; the next one begins.
    store.due.recover(at);
    waits.push((reader.domains.find(deadly)?.nextVisit ?? 0) - at);
  }
  // Of the domains that were cut off with it, each half is visited before its next visit.
  expect(at).toBeLessThan(60_000);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits.length).toBeGreaterThan(1);
});

test('only one store crawls at a time; the others learn which process does', async () => {
  const path = scratchPath();
  const [first, second] = [await openScratch(path), await openScratch(path)];
  const crawler = { command: 'run', pid: 12, since: 34 };
  const crawling = first.startCrawling(crawler);
  expect(second.startCrawling({ command: 'crawl', pid: 56, since: 78 })).toEqual({ heldBy: crawler });
  if (!('heldBy' in crawling)) crawling[Symbol.dispose]();
  expect(second.startCrawling({ command: 'crawl', pid: 56, since: 78 })).toHaveProperty('cutOff', 0);
});

const listOfOne = [storedDomain('a.example.org')];

test.each<[string, Parameters<typeof planOf>[0]]>([
  ['by priority', ({ store }) => store.due.pickFirst(1, 1)],
  ['by next visit', ({ store }) => store.due.pick(1, 1)],
  ['among named domains', ({ store }) => store.due.pick(1, 1, listOfOne)],
  ['to be counted', ({ reader }) => reader.domains.backlog(1)],
])('due domains %s are read without a scan of all domains', async (_what, read) => {
  expect((await planOf(read)).filter((step) => step.startsWith('SCAN domains'))).toEqual([]);
});

test.each<[string, Parameters<typeof planOf>[0]]>([
  ['priority', ({ store }) => store.due.pickFirst(1, 1)],
  ['next visit', ({ store }) => store.due.pick(1, 1)],
])('due domains by %s are read in the order of an index, without a sort', async (_what, read) => {
  expect((await planOf(read)).join()).not.toContain('TEMP B-TREE');
});
