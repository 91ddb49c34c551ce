import { expect, test } from 'vitest';
import type { Domain } from '../../src/domain/domain.ts';
import { storedDomain } from '../../src/domain/stored-domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Line } from '../../src/store/store-reader.ts';
import { recorded } from './sample-visit.ts';
import { meddle, scratchPath } from './scratch.ts';

const all = ['live', 'hinted', 'new', 'known', 'dead'] as const satisfies readonly Line[];
const settings: Readonly<Record<Line, string>> = {
  hinted: `state = 'new', hinted = 1`,
  live: `state = 'active', conclusive = 'loops'`,
  new: `state = 'new'`,
  known: `state = 'active', conclusive = 'other'`,
  dead: `state = 'dead', conclusive = 'loops'`,
};

const namesOf = (line: Line, count: number): Domain[] =>
  Array.from({ length: count }, (_, index) => storedDomain(`${line}${index}.example.org`));
const lineOf = (domain: Domain): string => domain.replace(/\d.*/, '');

/** A database in which so many domains of each line are due since 1. */
async function databaseWith(counts: Readonly<Partial<Record<Line, number>>>): Promise<string> {
  const path = scratchPath();
  await using store = await openStore({ path });
  for (const line of all) {
    store.enter(namesOf(line, counts[line] ?? 0), 1);
    meddle(path, (sqlite) => sqlite.exec(`update domains set ${settings[line]} where domain like '${line}%'`));
  }
  return path;
}

test.each([
  ['new', 'loops', 'new'],
  ['new', null, 'new'],
  ['active', 'loops', 'live'],
  ['failing', 'loops', 'live'],
  ['active', 'other', 'known'],
  ['active', 'alias', 'known'],
  ['active', null, 'known'],
  ['failing', null, 'known'],
  ['dead', 'loops', 'dead'],
  ['gone', 'loops', 'dead'],
  ['gone', null, 'dead'],
  ['opted-out', 'loops', null],
])('a domain that is %s and last found to be %s waits in the line %s', async (state, conclusive, line) => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter(namesOf('new', 1), 1);
  const found = meddle(path, (sqlite) => {
    sqlite.prepare('update domains set state = ?, conclusive = ?').run(state, conclusive);
    return sqlite.prepare('select line from domains').pluck().get();
  });
  expect(found).toBe(line);
});

test.each([1, 3, 16])('a lease of %i gives each line its share while all wait', async (limit) => {
  await using store = await openStore({ path: await databaseWith({ live: 100, new: 100, known: 100, dead: 100 }) });
  const counts: Record<string, number> = {};
  let leased = 0;
  while (leased < 96) {
    for (const { record } of store.lease(limit, 5)) {
      counts[lineOf(record.domain)] = (counts[lineOf(record.domain)] ?? 0) + 1;
      leased += 1;
    }
  }
  expect(counts).toEqual({ live: 48, new: 24, known: 18, dead: 6 });
});

test('those that a source says to be Loops go before other new ones, out of what both have together', async () => {
  const path = await databaseWith({ live: 20, hinted: 20, new: 20, known: 20, dead: 20 });
  await using store = await openStore({ path });
  const lines = store.lease(20, 5).map(({ record }) => lineOf(record.domain));
  const count = (line: Line) => lines.filter((found) => found === line).length;
  expect(all.map(count)).toEqual([8, 7, 1, 3, 1]);
  using reader = store.reader();
  expect(reader.backlog(5)).toMatchObject({ live: { due: 12 }, new: { due: 32, oldest: 1 }, known: { due: 17 } });
});

test('a flood of new domains does not keep live instances waiting, nor they the dead', async () => {
  await using store = await openStore({ path: await databaseWith({ live: 5, new: 5_000, known: 0, dead: 2 }) });
  const lines = store.lease(32, 5).map(({ record }) => lineOf(record.domain));
  expect(lines.filter((line) => line === 'live')).toHaveLength(5);
  expect(lines.filter((line) => line === 'dead')).toHaveLength(2);
  expect(lines.filter((line) => line === 'new')).toHaveLength(25);
});

test('within a line the longest due is leased first', async () => {
  const path = await databaseWith({ live: 9, new: 9, known: 0, dead: 0 });
  meddle(path, (sqlite) => sqlite.exec('update domains set next_visit = 1000 - id'));
  await using store = await openStore({ path });
  const leased = store.lease(12, 2_000).map(({ record }) => record.domain);
  for (const line of ['live', 'new'] as const) {
    const order = leased.filter((domain) => lineOf(domain) === line);
    expect(order).toEqual(namesOf(line, 9).reverse().slice(0, order.length));
    expect(order.length).toBeGreaterThan(3);
  }
});

test('the backlog counts what is due and free by line, and since when', async () => {
  const path = await databaseWith({ live: 3, new: 4, known: 0, dead: 2 });
  meddle(path, (sqlite) => {
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
  expect(reader.backlog(10, 2)).toMatchObject({ live: { due: 2, oldest: 1 }, dead: { due: 1, oldest: 1 } });
  expect(reader.backlog(0).live).toEqual({ due: 0, oldest: null });
  store.lease(2, 5, { only: namesOf('live', 3) });
  expect(reader.backlog(10).live).toEqual({ due: 1, oldest: 7 });
  expect(reader.counts(10).due).toBe(6);
});

test('a lease given back as lost is counted against its domain and makes it wait longer each time', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter(namesOf('new', 2), 1);
  const [lease, other] = store.lease(2, 10);
  if (!lease || !other) throw new Error('two leases are needed');
  store.lose([lease], 10);
  store.lose([lease], 10);
  const [again] = store.lease(2, 10);
  if (!again) throw new Error('the first costs nothing');
  expect(again.record.domain).toBe(lease.record.domain);
  store.lose([again], 10);
  expect(store.lease(2, 1_009)).toEqual([]);
  expect(store.nextLostLease(1_009)).toBe(1_010);
  const late = recorded(again, 20);
  expect(store.record([recorded(other, 20), late])).toEqual({ recorded: 1, lost: [late] });
});
