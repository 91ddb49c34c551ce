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
    ...{ known: 18, estimate: 21, low: 18, high: 34, sources: 2, sourcesAgree: null },
    listedBy: { none: 0, one: 10, two: 8, more: 0 },
    words: '18 known of about 21 (95 % interval 18 to 34), by the overlap of 2 sources.',
  });
  expect(population.assumptions.length).toBeGreaterThan(3);
});

test('what is known without any source counts among those that the sources miss; more than these allow for belie them', () => {
  const some = populationFrom([...times(2, []), ...times(6, [1]), ...times(4, [2]), ...times(8, [1, 2])]);
  expect(some).toMatchObject({ known: 20, estimate: 21, low: 20, high: 34 });
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

test('a near copy of a source counts as one with it, which is told, where third sources show that it is one', () => {
  const copied = populationFrom([...times(119, [1, 2]), ...times(1, [1]), ...times(80, [3]), ...times(40, [1, 2, 3])]);
  const first = populationFrom([...times(120, [1]), ...times(80, [3]), ...times(40, [1, 3])]);
  expect(copied).toMatchObject({ sources: 3, nearCopies: 1, listedBy: { one: 81, two: 119, more: 40 } });
  expect([copied.estimate, copied.low, copied.high]).toEqual([first.estimate, first.low, first.high]);
  expect(copied.words).toMatch(
    /, by the overlap of 2 sources \(near copies of one another, 1 more, count with these\)\.$/,
  );
  expect(first).toMatchObject({ nearCopies: 0, words: expect.stringMatching(/, by the overlap of 2 sources\.$/) });
  // A part of another source is no source of its own either.
  const part = populationFrom([
    ...times(60, [1, 2]),
    ...times(60, [1]),
    ...times(20, [1, 2, 3]),
    ...times(20, [1, 3]),
    ...times(80, [3]),
  ]);
  expect(part).toMatchObject({ nearCopies: 1, estimate: first.estimate, high: first.high });
});

test('two sources that each know nearly all there is are no copies: what one lacks, the other has', () => {
  const most = populationFrom([
    ...times(300, [1, 2, 3]),
    ...times(15, [1, 3]),
    ...times(15, [2, 3]),
    ...times(1, [1]),
    ...times(1, [3]),
    ...times(4, [1, 2]),
  ]);
  expect(most).toMatchObject({ nearCopies: 0, known: 336 });
  expect(most.words).not.toContain('rely');
});

test('two pairs of copies are two sources, with little in common', () => {
  const { estimate, words, nearCopies } = populationFrom([
    ...times(30, [1, 2]),
    ...times(30, [3, 4]),
    ...times(1, [1, 2, 3, 4]),
    ...times(2, [2]),
  ]);
  expect([nearCopies, estimate === null]).toEqual([2, false]);
  expect(words).toContain('only 1 is on more than one of these, so do not rely on it');
  expect(populationFrom([...times(30, [1, 2]), ...times(30, [3, 4])]).words).toContain('do not rely on it');
});

test('two sources that list nearly the same are not relied on where no third tells copies from sources that know all', () => {
  const { nearCopies, words } = populationFrom([...times(96, [1, 2]), ...times(2, [1]), ...times(2, [2])]);
  expect(nearCopies).toBe(0);
  expect(words).toMatch(/; but these list nearly the same, as copies would, so do not rely on it\.$/);
});

test('a source that copies half of another is told of, since they agree more than chance has it', () => {
  const { sourcesAgree, words } = populationFrom([
    ...times(60, [1, 2]),
    ...times(60, [1]),
    ...times(60, [2]),
    ...times(80, [3]),
    ...times(40, [1, 2, 3]),
    ...times(20, [1, 3]),
    ...times(20, [2, 3]),
  ]);
  expect(sourcesAgree).toBe(false);
  expect(words).toMatch(/; but some of these depend on one another, so do not rely on it\.$/);
});

test('few in common are told of, and the interval is as wide as that makes it', () => {
  const { estimate, low, high, words } = populationFrom([...times(9, [1]), ...times(9, [2]), ...times(1, [1, 2])]);
  expect(estimate).toBe(60);
  expect(low).toBeLessThan(40);
  expect(high).toBeGreaterThan(1_000);
  expect(words).toMatch(
    /, by the overlap of 2 sources; but only 1 is on more than one of these, so do not rely on it\.$/,
  );
});

test('seven servers, of which each is on most lists, are seven of about seven', () => {
  const { estimate, low, high, words } = populationFrom([
    ...times(4, [1, 2, 3]),
    ...times(1, [1, 2]),
    ...times(1, [1, 3]),
    ...times(1, [2, 3]),
  ]);
  expect({ estimate, low, high }).toEqual({ estimate: 7, low: 7, high: 10 });
  expect(words).toMatch(/^7 known of about 7 \(95 % interval 7 to 10\), by the overlap of 3 sources\.$/);
});
