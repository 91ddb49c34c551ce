import { expect, test } from 'vitest';
import { chanceOfOverlap } from '../../../src/export/population/chance-of-overlap.ts';

test('is that of the lady who tastes tea: all eight cups told right, and six of them', () => {
  // R. A. Fisher, The Design of Experiments (1935), chapter II: one in 70; 17 in 70.
  expect(chanceOfOverlap({ both: 4, one: 0, other: 0, neither: 4 }).atLeast).toBeCloseTo(1 / 70, 12);
  expect(chanceOfOverlap({ both: 3, one: 1, other: 1, neither: 3 }).atLeast).toBeCloseTo(17 / 70, 12);
  expect(chanceOfOverlap({ both: 3, one: 1, other: 1, neither: 3 }).atMost).toBeCloseTo(69 / 70, 12);
});

test('is certain where nothing could be otherwise', () => {
  for (const overlap of [
    { both: 0, one: 0, other: 0, neither: 0 },
    { both: 9, one: 0, other: 0, neither: 0 },
    { both: 5, one: 3, other: 0, neither: 0 },
    { both: 0, one: 0, other: 4, neither: 8 },
  ]) {
    expect(chanceOfOverlap(overlap)).toEqual({ atLeast: 1, atMost: 1 });
  }
});

test('the tails share what was found, also of large lists', () => {
  const overlap = { both: 2_010, one: 2_990, other: 1_990, neither: 3_010 };
  const { atLeast, atMost } = chanceOfOverlap(overlap);
  expect(atLeast + atMost).toBeGreaterThan(1);
  expect(atLeast + atMost).toBeLessThan(1.02);
  expect(chanceOfOverlap({ both: 4_000, one: 0, other: 0, neither: 6_000 }).atLeast).toBeLessThan(1e-300);
});
