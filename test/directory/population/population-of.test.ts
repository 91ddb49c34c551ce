import { expect, test } from 'vitest';
import { populationOf } from '../../../src/directory/population/population-of.ts';
import { SourceOverlap } from '../../../src/directory/population/source-overlap.ts';
import { Population } from '../../../src/directory/schema/population.ts';

function populationFrom(listings: readonly string[][]) {
  const overlap = new SourceOverlap();
  for (const sources of listings) overlap.add(sources);
  return Population.parse(populationOf(overlap));
}
const times = (count: number, sources: string[]) => Array.from({ length: count }, () => sources);

test('the lower limit is rounded down and published with a sentence and its assumption', () => {
  const population = populationFrom([...times(30, ['a']), ...times(30, ['b']), ...times(30, ['b', 'a'])]);
  // f0 = 1/2 3600/60 = 30; V = 30 (4/4 + 8/4 + 16/16) = 120; 90 + 30 / exp(1.96 sqrt(ln 1.133333)) = 104.996.
  expect(population).toMatchObject({
    ...{ known: 90, atLeast: 104, sources: 2, listedBy: { none: 0, one: 60, two: 30, more: 0 } },
    words: '90 known of at least 104 (lower end of the 95 % interval), by the overlap of 2 sources.',
  });
  expect(population.assumption).toContain('Sources do not avoid each other’s entries');
});

test('instances that no source lists count as known but not as observed, and the limit is never below the number known', () => {
  const listed = [...times(6, ['a']), ...times(4, ['b']), ...times(8, ['a', 'b'])];
  expect(populationFrom([...times(1, []), ...listed])).toMatchObject({ known: 19, atLeast: 19, listedBy: { none: 1 } });
  expect(populationFrom([...times(40, []), ...listed])).toMatchObject({ known: 58, atLeast: 58, sources: 2 });
});

test('with fewer than two sources there is no estimate, and the sentence says so', () => {
  expect(populationFrom([])).toMatchObject({ known: 0, atLeast: null, sources: 0, overlap: [] });
  expect(populationFrom(times(3, ['a']))).toMatchObject({
    ...{ atLeast: null, sources: 1, overlap: [] },
    words: '3 known; estimating the total requires at least two sources that list known servers.',
  });
});

test.each([
  ['divide the instances', [...times(40, ['a']), ...times(40, ['b']), ...times(40, ['c'])], '0 of their 120 entries'],
  [
    'divide them, but for a few by chance',
    [...times(40, ['a']), ...times(40, ['b']), ...times(40, ['c']), ...times(3, ['a', 'b']), ...times(2, ['b', 'c'])],
    '10 of their 130 entries',
  ],
  [
    'divide them, but for two that share half of theirs',
    [...times(20, ['a']), ...times(20, ['b']), ...times(20, ['a', 'b']), ...times(40, ['c'])],
    '40 of their 120 entries',
  ],
  ['share just less than half', [...times(11, ['a']), ...times(5, ['a', 'b'])], '10 of their 21 entries'],
])('there is no estimate if the sources %s, and the sentence says why', (_, listings, shared) => {
  const { atLeast, words } = populationFrom(listings);
  expect(atLeast).toBeNull();
  expect(words).toContain(`overlap too little: ${shared} are listed by another source too`);
});

test('there is an estimate if the sources share half of their entries', () => {
  expect(populationFrom([...times(10, ['a']), ...times(5, ['a', 'b'])]).atLeast).toBe(16);
});

test('the overlap has a row for every pair of sources, even without common instances', () => {
  const { overlap } = populationFrom([
    ...times(5, ['c']),
    ...times(3, ['b', 'a']),
    ...times(2, ['a', 'b', 'd']),
    ...times(1, ['d', 'c']),
  ]);
  expect(overlap).toEqual([
    { first: 'a', second: 'b', firstLists: 5, secondLists: 5, both: 5 },
    { first: 'a', second: 'c', firstLists: 5, secondLists: 6, both: 0 },
    { first: 'a', second: 'd', firstLists: 5, secondLists: 3, both: 2 },
    { first: 'b', second: 'c', firstLists: 5, secondLists: 6, both: 0 },
    { first: 'b', second: 'd', firstLists: 5, secondLists: 3, both: 2 },
    { first: 'c', second: 'd', firstLists: 6, secondLists: 3, both: 1 },
  ]);
});
