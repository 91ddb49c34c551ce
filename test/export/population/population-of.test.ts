import { expect, test } from 'vitest';
import { CaptureTally } from '../../../src/export/population/capture-tally.ts';
import { populationOf } from '../../../src/export/population/population-of.ts';
import { Population } from '../../../src/export/schema/population.ts';

function populationFrom(listings: readonly number[][]) {
  const tally = new CaptureTally();
  for (const sources of listings) tally.add(sources);
  return Population.parse(populationOf(tally));
}
const times = (count: number, sources: number[]) => Array.from({ length: count }, () => sources);

test('it is told in whole numbers, the interval rounded outwards, and in a sentence', () => {
  const population = populationFrom([...times(6, [1]), ...times(4, [2]), ...times(8, [1, 2])]);
  expect(population).toMatchObject({
    ...{ known: 18, estimate: 21, low: 18, high: 31, sources: 2, sourcesAgree: null },
    listedBy: { none: 0, one: 10, two: 8, more: 0 },
    words: '18 known of about 21 (95 % interval 18 to 31), by the overlap of 2 sources.',
  });
  expect(population.assumptions.length).toBeGreaterThan(3);
});

test('what is known without any source counts among those that the sources miss; more than these allow for belie them', () => {
  const some = populationFrom([...times(2, []), ...times(6, [1]), ...times(4, [2]), ...times(8, [1, 2])]);
  expect(some).toMatchObject({ known: 20, estimate: 21, low: 20, high: 31 });
  const many = populationFrom([...times(40, []), ...times(6, [1]), ...times(4, [2]), ...times(8, [1, 2])]);
  expect(many).toMatchObject({ known: 58, estimate: null, low: null, high: null, listedBy: { none: 40 } });
  expect(many.words).toBe(
    '58 known; of how many cannot be told: more are known from elsewhere than the overlap of the 2 sources allows for.',
  );
});

test('sources of which one holds all that the others list are not relied on', () => {
  const copied = populationFrom(times(500, [1, 2, 3]));
  expect(copied.words).toContain('one of these lists all that the others do, as a copy would');
  const part = populationFrom([...times(40, [1]), ...times(10, [1, 2])]);
  expect(part.words).toContain('do not rely on it');
  const crossing = populationFrom([...times(6, [1]), ...times(4, [2]), ...times(8, [1, 2])]);
  expect(crossing.words).not.toContain('rely');
});

test('unknown is null, with the reason in words', () => {
  const unknown = { estimate: null, low: null, high: null, sourcesAgree: null };
  expect(populationFrom([])).toMatchObject({ ...unknown, known: 0, sources: 0 });
  expect(populationFrom(times(3, [5]))).toMatchObject({
    ...unknown,
    words: '3 known; of how many cannot be told: it takes at least two sources that list any of them.',
  });
  expect(populationFrom([...times(3, [5]), ...times(3, [6]), ...times(3, [7])])).toMatchObject({
    ...unknown,
    words: '9 known; of how many cannot be told: of the 3 sources that list any of them, no two list the same.',
  });
});

test('a source that copies another is told of, since the estimate does not stand without it', () => {
  const { sourcesAgree, words } = populationFrom([...times(120, [1, 2]), ...times(80, [3]), ...times(40, [1, 2, 3])]);
  expect(sourcesAgree).toBe(false);
  expect(words).toMatch(/; but some of these depend on one another, so do not rely on it\.$/);
});
