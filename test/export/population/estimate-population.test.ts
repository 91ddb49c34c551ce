import { describe, expect, test } from 'vitest';
import { CaptureTally } from '../../../src/export/population/capture-tally.ts';
import { estimatePopulation } from '../../../src/export/population/estimate-population.ts';

/** How many members each combination of lists holds. */
function tallyOf(combinations: readonly (readonly [sources: readonly number[], members: number])[]): CaptureTally {
  const tally = new CaptureTally();
  for (const [sources, members] of combinations) {
    for (let member = 0; member < members; member++) tally.add(sources);
  }
  return tally;
}
const estimateOf = (combinations: Parameters<typeof tallyOf>[0]) => estimatePopulation(tallyOf(combinations).counts());

describe('the estimate', () => {
  test('is that of Chao for the three lists of the hepatitis outbreak in Taiwan, 1995', () => {
    // Chao, Tsay, Lin, Shau and Chao, Statistics in Medicine 20 (2001), table II; about 545 had it in truth, more than any independent lists say.
    const lists = estimateOf([
      [[0, 1, 2], 28],
      [[0, 1], 21],
      [[0, 2], 17],
      [[1, 2], 18],
      [[0], 69],
      [[1], 55],
      [[2], 63],
    ]);
    const unlisted = (69 * 55 + 69 * 63 + 55 * 63) / (21 + 17 + 18 + 1);
    expect(lists?.estimate).toBeCloseTo(271 + unlisted, 10);
    expect(lists?.estimate).toBeCloseTo(474.6, 1);
    expect(lists?.low).toBeGreaterThan(380);
    expect(lists?.high).toBeGreaterThan(545);
    expect(lists?.high).toBeLessThan(640);
  });

  test('of two lists is that of Chapman', () => {
    const [first, second, both] = [120, 80, 24];
    const lists = estimateOf([
      [[7], first - both],
      [[9], second - both],
      [[7, 9], both],
    ]);
    expect(lists?.estimate).toBeCloseTo(((first + 1) * (second + 1)) / (both + 1) - 1, 10);
  });

  test('of lists that each hold equally many alone is Chao2 with its bias corrected, but for chance', () => {
    const alone = 1_000;
    const lists = estimateOf([
      [[0], alone],
      [[1], alone],
      [[2], alone],
      [[3], alone],
      [[0, 1], 300],
      [[2, 3], 300],
    ]);
    const [once, twice] = [4 * alone, 600];
    const chao2 = once + twice + ((3 / 4) * once * (once - 1)) / (2 * (twice + 1));
    expect((lists?.estimate ?? 0) / chao2).toBeCloseTo(1, 3);
  });

  test('never falls below what is listed, nor does its interval, and the interval holds the estimate', () => {
    for (const [first, second, both] of [
      [0, 0, 5],
      [40, 0, 60],
      [1, 1, 8],
      [100, 100, 1],
      [1, 0, 1],
      [10_000, 3, 20],
    ] as const) {
      const { estimate, low, high } =
        estimateOf([
          [[0], first],
          [[1], second],
          [[0, 1], both],
        ]) ?? expect.fail();
      expect(low).toBeGreaterThanOrEqual(first + second + both);
      expect(estimate).toBeGreaterThanOrEqual(low);
      expect(high).toBeGreaterThan(estimate);
      expect(Number.isFinite(high)).toBe(true);
    }
  });

  test('is wider the less the lists have in common', () => {
    const width = (both: number) => {
      const { low, high } =
        estimateOf([
          [[0], 50 - both],
          [[1], 50 - both],
          [[0, 1], both],
        ]) ?? expect.fail();
      return high - low;
    };
    expect(width(5)).toBeGreaterThan(width(15));
    expect(width(15)).toBeGreaterThan(width(40));
  });

  test('is sparse with fewer than seven in common, unless the lists are as long as what they list', () => {
    const isSparse = (first: number, second: number, both: number) =>
      estimateOf([
        [[0], first],
        [[1], second],
        [[0, 1], both],
      ])?.isSparse;
    expect([isSparse(40, 40, 6), isSparse(40, 40, 7)]).toEqual([true, false]);
    expect([isSparse(1, 1, 5), isSparse(3, 3, 2)]).toEqual([false, true]);
  });

  test('has an upper end that allows for one in common being so many by luck, and for much on three lists', () => {
    const one = estimateOf([
      [[0], 9],
      [[1], 9],
      [[0, 1], 1],
    ]);
    expect(one?.high).toBeGreaterThan(1_000);
    // Of seven that three lists nearly all hold, none happens to be on just two.
    const nearlyAll = estimateOf([
      [[0], 1],
      [[1], 1],
      [[0, 1, 2], 5],
    ]);
    expect(nearlyAll?.high).toBeLessThan(25);
  });

  test('is none from fewer than two lists, or from lists that have nothing in common', () => {
    expect(estimateOf([])).toBeNull();
    expect(estimateOf([[[], 4]])).toBeNull();
    expect(estimateOf([[[3], 20]])).toBeNull();
    expect(
      estimateOf([
        [[0], 20],
        [[1], 20],
      ]),
    ).toBeNull();
  });
});

test('a tally without one of its sources is what it would be had that one never been', () => {
  const combinations: (readonly [number[], number])[] = [
    [[], 3],
    [[1], 5],
    [[2], 7],
    [[3], 11],
    [[1, 2], 13],
    [[2, 3], 17],
    [[1, 2, 3], 19],
    [[1, 2, 3, 4], 23],
  ];
  for (const left of [1, 2, 3, 4]) {
    const without = combinations.map(([sources, members]) => [sources.filter((id) => id !== left), members] as const);
    expect(tallyOf(combinations).counts(left), `without ${left}`).toEqual(tallyOf(without).counts());
  }
});
