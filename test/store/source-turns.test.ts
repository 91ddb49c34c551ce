import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Domain } from '../../src/domain/domain.ts';
import { storedDomain } from '../../src/domain/stored-domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { candidates, readOnce } from './sample-source.ts';
import { loopsVisit, recorded, unreachableVisit } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

const namesOf = (source: string, count: number): Domain[] =>
  Array.from({ length: count }, (_, index) => storedDomain(`${source}${index}.example.org`));
const sourceOf = (domain: Domain): string => domain.replace(/\d.*/, '');

/** Leases so many, one lease after the other, and records what was found: Loops where `isLoops` says so. */
function visit(store: Store, count: number, limit: number, isLoops: (domain: Domain) => boolean): string[] {
  const order: string[] = [];
  while (order.length < count) {
    const leased = store.lease(limit, 100);
    if (leased.length === 0) break;
    order.push(...leased.map(({ record }) => sourceOf(record.domain)));
    store.record(
      leased.map((lease) => {
        const { domain } = lease.record;
        return recorded(lease, 100, isLoops(domain) ? loopsVisit(domain, 100) : unreachableVisit(domain, 100));
      }),
    );
  }
  return order;
}

const share = (order: readonly string[], source: string) =>
  order.filter((name) => name === source).length / order.length;

test('sources of which nothing is known take turns evenly, and so do domains of none', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.enter(namesOf('none', 30), 3);
  readOnce(store, 'flood', candidates(namesOf('flood', 3_000)), 1);
  readOnce(store, 'small', candidates(namesOf('small', 30)), 2);
  const order = store.lease(30, 100).map(({ record }) => sourceOf(record.domain));
  expect([share(order, 'none'), share(order, 'flood'), share(order, 'small')]).toEqual([1 / 3, 1 / 3, 1 / 3]);
});

test('a source whose domains turn out to be Loops is served more, one that brings nothing is served still', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'good', candidates(namesOf('good', 900)), 1);
  readOnce(store, 'bad', candidates(namesOf('bad', 900)), 1);
  visit(store, 400, 16, (domain) => sourceOf(domain) === 'good');
  const order = visit(store, 170, 17, (domain) => sourceOf(domain) === 'good');
  expect(share(order, 'good')).toBeGreaterThan(0.8);
  expect(share(order, 'bad')).toBeGreaterThan(0.04);
});

test('a source that calls all of its domains Loops, wrongly, soon has the smallest part of those said to be', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'liar', candidates(namesOf('liar', 2_000), 'loops'), 1);
  readOnce(store, 'honest', candidates(namesOf('honest', 500), 'loops'), 2);
  visit(store, 400, 16, (domain) => sourceOf(domain) === 'honest');
  const order = visit(store, 102, 17, (domain) => sourceOf(domain) === 'honest');
  expect(share(order, 'honest')).toBeGreaterThan(0.7);
});

const placesOf = (order: readonly string[], source: string) =>
  order.flatMap((name, index) => (name === source ? [index] : []));
const median = (places: readonly number[]) => places[Math.floor(places.length / 2)] ?? Number.NaN;

test('of a list of which half is said to be Loops, and is, nearly all of that half is visited before the rest', async () => {
  await using store = await openStore({ path: scratchPath() });
  const [said, rest] = [candidates(namesOf('said', 200), 'loops'), candidates(namesOf('rest', 200))];
  readOnce(
    store,
    'list',
    rest.flatMap((one, index) => [one, said[index] ?? one]),
    1,
  );
  const order = visit(store, 400, 16, (domain) => sourceOf(domain) === 'said');
  expect(order).toHaveLength(400);
  expect(placesOf(order, 'said').at(-1)).toBeLessThan(225);
  expect(median(placesOf(order, 'said'))).toBeLessThan(120);
  expect(median(placesOf(order, 'rest'))).toBeGreaterThan(280);
});

test('three thousand hints that lie soon have no more than other new domains, and who waits among these is visited early', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'liar', candidates(namesOf('liar', 3_000), 'loops'), 1);
  readOnce(store, 'honest', candidates(namesOf('honest', 20)), 1);
  const order = visit(store, 300, 64, (domain) => sourceOf(domain) === 'honest');
  expect(placesOf(order, 'honest')).toHaveLength(20);
  expect(placesOf(order, 'honest').at(-1)).toBeLessThan(110);
});

test('neither true hints nor false ones take anything from live instances', async () => {
  for (const isTrue of [true, false]) {
    await using store = await openStore({ path: scratchPath() });
    store.enter(namesOf('live', 400), 1);
    visit(store, 400, 100, () => true);
    store.requestVisit(namesOf('live', 400), 50);
    readOnce(store, 'hints', candidates(namesOf('said', 400), 'loops'), 1);
    readOnce(store, 'rest', candidates(namesOf('rest', 400)), 1);
    const order = visit(store, 320, 16, (domain) => isTrue || sourceOf(domain) === 'live');
    expect(share(order, 'live')).toBeCloseTo(0.5, 1);
    if (!isTrue) expect(share(order.slice(64), 'rest')).toBeCloseTo(0.25, 1);
  }
});

test('what is found by hints makes the rest of the list no better', async () => {
  await using store = await openStore({ path: scratchPath() });
  readOnce(store, 'hints', [...candidates(namesOf('said', 100), 'loops'), ...candidates(namesOf('rest', 400))], 1);
  readOnce(store, 'other', candidates(namesOf('other', 400)), 1);
  visit(store, 100, 20, (domain) => sourceOf(domain) === 'said');
  store.releaseAll();
  const order = store
    .lease(200, 100)
    .map(({ record }) => sourceOf(record.domain))
    .filter((name) => name !== 'said');
  expect(Math.abs(share(order, 'rest') - share(order, 'other'))).toBeLessThan(0.05);
});

test('whatever sources bring and however much is leased at a time, no source is passed over for long and no place stays empty', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 40 }), fc.nat(5), async (counts, limit, good) => {
      await using store = await openStore({ path: scratchPath() });
      const left = new Map<string, number>();
      counts.forEach((count, index) => {
        const name = 'abcde'[index] ?? '';
        readOnce(store, name, candidates(namesOf(name, count)), index + 1);
        left.set(name, count);
      });
      const total = counts.reduce((sum, count) => sum + count, 0);
      const passedOver = new Map<string, number>();
      for (let visited = 0; visited < total; ) {
        const expected = Math.min(limit, total - visited);
        const order = visit(store, expected, limit, (domain) => sourceOf(domain) === 'abcde'[good]);
        expect(order).toHaveLength(expected);
        visited += expected;
        for (const taken of order) {
          left.set(taken, (left.get(taken) ?? 0) - 1);
          for (const [name, waiting] of left) {
            const since = name === taken || waiting === 0 ? 0 : (passedOver.get(name) ?? 0) + 1;
            passedOver.set(name, since);
            expect(since).toBeLessThanOrEqual(3 * 16 * counts.length);
          }
        }
      }
      expect([...left.values()].every((waiting) => waiting === 0)).toBe(true);
    }),
    { numRuns: 20 },
  );
});
