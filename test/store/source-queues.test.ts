import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { reportWeight } from '../../src/store/frontier/source-queues.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { candidates, readOnce } from './sample-source.ts';
import { loopsVisit, recordedVisit, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const namesOf = (source: string, count: number): Domain[] =>
  Array.from({ length: count }, (_, index) => storedDomain(`${source}${index}.example.org`));
const sourceOf = (domain: Domain): string => domain.replace(/\d.*/, '');

/** Leases and records `count` domains in batches of `limit`. Returns the source of each in order. */
function visit(store: Store, count: number, limit: number, isLoops: (domain: Domain) => boolean): string[] {
  const order: string[] = [];
  while (order.length < count) {
    const leased = store.lease(limit, 100);
    if (leased.length === 0) break;
    order.push(...leased.map(({ record }) => sourceOf(record.domain)));
    store.record(
      leased.map((lease) => {
        const { domain } = lease.record;
        return recordedVisit(lease, 100, isLoops(domain) ? loopsVisit(domain, 100) : unreachableVisit(domain, 100));
      }),
    );
  }
  return order;
}

const share = (order: readonly string[], source: string) =>
  order.filter((name) => name === source).length / order.length;

test('sources share the new lane evenly, whatever the length of their lists; domains without a source count as one source', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enterFound(namesOf('none', 30), 3, 0);
  readOnce(store, 'flood', candidates(namesOf('flood', 3_000)), 1);
  readOnce(store, 'small', candidates(namesOf('small', 30)), 2);
  const order = store.lease(30, 100).map(({ record }) => sourceOf(record.domain));
  expect([share(order, 'none'), share(order, 'flood'), share(order, 'small')]).toEqual([1 / 3, 1 / 3, 1 / 3]);
});

test('a source added later is served at once, but no more often than sources with a backlog', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'flood', candidates(namesOf('flood', 2_000)), 1);
  readOnce(store, 'old', candidates(namesOf('old', 400)), 1);
  visit(store, 400, 16, () => false);
  readOnce(store, 'late', candidates(namesOf('late', 1_000)), 2);
  const order = visit(store, 300, 16, () => false);
  expect(order.indexOf('late')).toBeLessThan(4);
  for (const source of ['flood', 'old', 'late']) expect(share(order, source)).toBeCloseTo(1 / 3, 1);
});

test('a requested domain precedes the domains that sources list', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'flood', candidates(namesOf('flood', 300)), 1);
  visit(store, 100, 10, () => false);
  const waiting = namesOf('flood', 300).at(-1) as Domain;
  store.requestVisit([...namesOf('asked', 2), waiting], 50);
  // One of the two from the flood is `waiting`; the other was not requested.
  expect(visit(store, 4, 4, () => false)).toEqual(['flood', 'asked', 'asked', 'flood']);
  using reader = store.reader();
  expect(reader.find(waiting)?.lastVisit).toBe(100);
});

test('the ranks of a source continue where they ended, in another process and after a restart', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    readOnce(store, 'flood', candidates(namesOf('flood', 300)), 1);
    visit(store, 100, 10, () => false);
  }
  await using store = await openStore({ path });
  await using other = await openStore({ path });
  readOnce(other, 'flood', candidates(namesOf('more', 100)), 2);
  readOnce(other, 'late', candidates(namesOf('late', 100)), 2);
  const order = visit(store, 200, 10, () => false);
  expect([share(order, 'flood'), share(order, 'late'), share(order, 'more')]).toEqual([0.5, 0.5, 0]);
});

test('reports of Loops by a source have the weight 12 at first, less the fewer are confirmed, and never less than 1', () => {
  expect(reportWeight({ ranked: 0, confirmed: 0 })).toBe(12);
  expect(reportWeight({ ranked: 900, confirmed: 900 })).toBe(12);
  expect(reportWeight({ ranked: 900, confirmed: 400 })).toBe(6);
  expect(reportWeight({ ranked: 100, confirmed: 0 })).toBe(6);
  expect(reportWeight({ ranked: 1e6, confirmed: 3 })).toBe(1);
  // A domain identified as Loops only at a later visit can make `confirmed` larger than `ranked`.
  expect(reportWeight({ ranked: 0, confirmed: 5 })).toBe(12);
});

const positionsOf = (order: readonly string[], source: string) =>
  order.flatMap((name, index) => (name === source ? [index] : []));
const median = (positions: readonly number[]) => positions[Math.floor(positions.length / 2)] ?? Number.NaN;

test('domains of a list that are reported as Loops are nearly all visited before the rest', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [reported, rest] = [candidates(namesOf('reported', 200), 'loops'), candidates(namesOf('rest', 200))];
  readOnce(
    store,
    'list',
    rest.flatMap((candidate, index) => [candidate, reported[index] ?? candidate]),
    1,
  );
  const order = visit(store, 400, 16, (domain) => sourceOf(domain) === 'reported');
  expect(order).toHaveLength(400);
  expect(positionsOf(order, 'reported').at(-1)).toBeLessThan(235);
  expect(median(positionsOf(order, 'reported'))).toBeLessThan(120);
  expect(median(positionsOf(order, 'rest'))).toBeGreaterThan(280);
});

test('3,000 false reports put their source ahead only once, by about 500 visits, and do not delay other sources for long', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'liar', candidates(namesOf('liar', 3_000), 'loops'), 1);
  readOnce(store, 'honest', candidates(namesOf('honest', 1_500)), 1);
  const order = visit(store, 2_600, 100, () => false);
  expect(positionsOf(order, 'honest')[19]).toBeLessThan(165);
  const lead = positionsOf(order, 'liar').length - positionsOf(order, 'honest').length;
  expect(lead).toBeGreaterThan(450);
  expect(lead).toBeLessThan(510);
  readOnce(store, 'honest', candidates(namesOf('more', 500)), 2);
  expect(
    share(
      visit(store, 400, 16, () => false),
      'liar',
    ),
  ).toBeCloseTo(0.5, 1);
});

test('confirmed reports of a source keep their weight when another source sends false reports', async () => {
  await using store = await openStore({ path: scratchPath() });
  const isTrue = (domain: Domain) => sourceOf(domain).startsWith('true');
  for (const round of ['a', 'b', 'c', 'd', 'e', 'f']) {
    readOnce(store, 'honest', candidates(namesOf(`true-${round}`, 200), 'loops'), 1);
    readOnce(store, 'liar', candidates(namesOf(`false-${round}`, 200), 'loops'), 1);
    visit(store, 400, 50, isTrue);
  }
  readOnce(store, 'honest', candidates(namesOf('true-last', 60), 'loops'), 1);
  readOnce(store, 'liar', candidates(namesOf('false-last', 60), 'loops'), 1);
  // With the weights 12 and 1, 12 of 13 visits go to the honest source.
  expect(share(visit(store, 52, 13, isTrue), 'true-last')).toBeGreaterThan(0.9);
});

test('neither true nor false reports take visits from live instances', async () => {
  for (const isTrue of [true, false]) {
    await using store = await openStore({ path: scratchPath() });
    store.enter(namesOf('live', 400), 1);
    visit(store, 400, 100, () => true);
    store.requestVisit(namesOf('live', 400), 50);
    readOnce(store, 'reports', candidates(namesOf('reported', 400), 'loops'), 1);
    readOnce(store, 'rest', candidates(namesOf('rest', 400)), 1);
    const order = visit(store, 320, 16, (domain) => isTrue || sourceOf(domain) === 'live');
    expect(share(order, 'live')).toBeCloseTo(0.5, 1);
  }
});

test('confirmed reports do not advance the other domains of the same list', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(
    store,
    'reports',
    [...candidates(namesOf('reported', 100), 'loops'), ...candidates(namesOf('rest', 400))],
    1,
  );
  readOnce(store, 'other', candidates(namesOf('other', 400)), 1);
  visit(store, 100, 20, (domain) => sourceOf(domain) === 'reported');
  store.releaseAll();
  const order = store
    .lease(200, 100)
    .map(({ record }) => sourceOf(record.domain))
    .filter((name) => name !== 'reported');
  expect(Math.abs(share(order, 'rest') - share(order, 'other'))).toBeLessThan(0.05);
});

test('for any lists and batch sizes, no source waits long and every lease is full', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 40 }), fc.nat(5), async (counts, limit, loopsSource) => {
      await using store = await openStore({ path: scratchPath() });
      const remaining = new Map<string, number>();
      counts.forEach((count, index) => {
        const name = 'abcde'[index] ?? '';
        readOnce(store, name, candidates(namesOf(name, count)), index + 1);
        remaining.set(name, count);
      });
      const total = counts.reduce((sum, count) => sum + count, 0);
      const waitedFor = new Map<string, number>();
      for (let visited = 0; visited < total; ) {
        const expected = Math.min(limit, total - visited);
        const order = visit(store, expected, limit, (domain) => sourceOf(domain) === 'abcde'[loopsSource]);
        expect(order).toHaveLength(expected);
        visited += expected;
        for (const source of order) {
          remaining.set(source, (remaining.get(source) ?? 0) - 1);
          for (const [name, waiting] of remaining) {
            const waitedVisits = name === source || waiting === 0 ? 0 : (waitedFor.get(name) ?? 0) + 1;
            waitedFor.set(name, waitedVisits);
            expect(waitedVisits).toBeLessThan(counts.length);
          }
        }
      }
      expect([...remaining.values()].every((waiting) => waiting === 0)).toBe(true);
    }),
    { numRuns: 8 },
  );
});
