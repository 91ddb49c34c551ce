import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Lane } from '../../src/store/store-reader.ts';
import { candidates, readOnce } from './sample-source.ts';
import { recordedVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const lanes = ['live', 'new', 'known', 'dead'] as const satisfies readonly Lane[];
const columnsOfLane: Readonly<Record<Lane, string>> = {
  live: `state = 'active', identified_as = 'loops', last_visit = 1, rank = null`,
  new: `state = 'new'`,
  known: `state = 'active', identified_as = 'other', last_visit = 1, rank = null`,
  dead: `state = 'dead', identified_as = 'loops', last_visit = 1, rank = null`,
};

const namesOf = (lane: Lane, count: number): Domain[] =>
  Array.from({ length: count }, (_, index) => storedDomain(`${lane}${index}.example.org`));
const laneOf = (domain: Domain): string => domain.replace(/\d.*/, '');

/** A database with the given number of domains in each lane, due since time 1. */
async function databaseWith(counts: Readonly<Partial<Record<Lane, number>>>): Promise<string> {
  const path = scratchPath();
  await using store = await openStore({ path });
  for (const lane of lanes) {
    store.enter(namesOf(lane, counts[lane] ?? 0), 1);
    withSqlite(path, (sqlite) => sqlite.exec(`update domains set ${columnsOfLane[lane]} where domain like '${lane}%'`));
  }
  return path;
}

test.each([
  ['new', null, 1, 'new'],
  ['new', null, null, 'known'],
  ['new', 'loops', null, 'live'],
  ['active', 'loops', null, 'live'],
  ['failing', 'loops', null, 'live'],
  ['active', 'other', null, 'known'],
  ['active', 'alias', null, 'known'],
  ['active', null, null, 'known'],
  ['failing', null, null, 'known'],
  ['dead', 'loops', null, 'dead'],
  ['gone', 'loops', null, 'dead'],
  ['gone', null, null, 'dead'],
])(
  'a domain with the state %s, the last conclusive verdict %s and the rank %s waits in the lane %s',
  async (state, identifiedAs, rank, lane) => {
    const path = scratchPath();
    await using store = await openStore({ path });
    store.enter(namesOf('new', 1), 1);
    const laneInStore = withSqlite(path, (sqlite) => {
      sqlite.prepare('update domains set state = ?, identified_as = ?, rank = ?').run(state, identifiedAs, rank);
      return sqlite.prepare('select lane from domains').pluck().get();
    });
    expect(laneInStore).toBe(lane);
  },
);

test.each([1, 4, 20])('leases of %i domains give each non-empty lane its share', async (limit) => {
  await using store = await openStore({ path: await databaseWith({ live: 100, new: 100, known: 100, dead: 100 }) });
  const counts: Record<string, number> = {};
  let leased = 0;
  while (leased < 100) {
    for (const { record } of store.lease(limit, 5)) {
      counts[laneOf(record.domain)] = (counts[laneOf(record.domain)] ?? 0) + 1;
      leased += 1;
    }
  }
  expect(counts).toEqual({ live: 40, new: 40, known: 15, dead: 5 });
});

test('many new domains delay neither live instances nor dead domains', async () => {
  await using store = await openStore({ path: await databaseWith({ live: 5, new: 5_000, known: 0, dead: 2 }) });
  const leased = store.lease(40, 5).map(({ record }) => laneOf(record.domain));
  expect(leased.filter((lane) => lane === 'live')).toHaveLength(5);
  expect(leased.filter((lane) => lane === 'dead')).toHaveLength(2);
  expect(leased.filter((lane) => lane === 'new')).toHaveLength(33);
});

test('the longest overdue domain of a lane is leased first', async () => {
  const path = await databaseWith({ live: 9, new: 9, known: 0, dead: 0 });
  withSqlite(path, (sqlite) => sqlite.exec('update domains set next_visit = 1000 - id'));
  await using store = await openStore({ path });
  const leased = store.lease(12, 2_000).map(({ record }) => record.domain);
  for (const lane of ['live', 'new'] as const) {
    const order = leased.filter((domain) => laneOf(domain) === lane);
    expect(order).toEqual(namesOf(lane, 9).reverse().slice(0, order.length));
    expect(order.length).toBeGreaterThan(3);
  }
});

test('the backlog counts due, unleased domains per lane, with the earliest due time', async () => {
  const path = await databaseWith({ live: 3, new: 4, known: 0, dead: 2 });
  withSqlite(path, (sqlite) => {
    sqlite.exec(`update domains set next_visit = 7 where domain = 'live1.example.org'`);
    sqlite.exec(`update domains set next_visit = 90 where domain = 'dead1.example.org'`);
  });
  await using store = await openStore({ path });
  using reader = store.reader();
  const live = { due: 3, oldest: 1 };
  expect(reader.backlog(10)).toEqual({
    live,
    new: { due: 4, oldest: 1 },
    known: { due: 0, oldest: null },
    dead: { due: 1, oldest: 1 },
  });
  // Counts at most two domains in each lane.
  expect(reader.backlog(10, 2)).toMatchObject({ live: { due: 2, oldest: 1 }, dead: { due: 1, oldest: 1 } });
  expect(reader.backlog(0).live).toEqual({ due: 0, oldest: null });
  store.lease(2, 5, { only: namesOf('live', 3) });
  expect(reader.backlog(10).live).toEqual({ due: 1, oldest: 7 });
  expect(reader.counts(10).due).toBe(6);
});

test('a domain waits from its second abandoned lease on', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter(namesOf('new', 2), 1);
  const [lease, other] = store.lease(2, 10);
  if (!lease || !other) throw new Error('two leases are needed');
  store.abandonLeases([lease], 10);
  // A second time has no effect, because the lease is no longer held.
  store.abandonLeases([lease], 10);
  const [again] = store.lease(2, 10);
  if (!again) throw new Error('a lease is needed');
  expect(again.record.domain).toBe(lease.record.domain);
  store.abandonLeases([again], 10);
  expect(store.lease(2, 1_009)).toEqual([]);
  expect(store.nextRetryAfterLostLease(1_009)).toBe(1_010);
  const late = recordedVisit(again, 20);
  expect(store.record([recordedVisit(other, 20), late])).toEqual({ recorded: 1, lost: [late] });
});

test('a new domain moves to the end of its queue after a lost lease, and to the known lane when deferred', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const site = ['site.example.net', 'site.example.net:8443'].map(storedDomain);
  readOnce(store, 'list', candidates(site), 1);
  const [leased] = store.lease(2, 10);
  if (leased === undefined) throw new Error('a lease is needed');
  store.abandonLeases([leased], 10);
  const rows = withSqlite(path, (sqlite) =>
    sqlite.prepare('select domain, lane, rank, due_order from domains order by domain').all(),
  );
  expect(rows).toEqual([
    { domain: site[0], lane: 'new', rank: 3, due_order: 3 },
    { domain: site[1], lane: 'known', rank: null, due_order: 10 + 65 * 60_000 },
  ]);
});
