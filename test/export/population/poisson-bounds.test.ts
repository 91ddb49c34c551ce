import { expect, test } from 'vitest';
import { poissonBounds } from '../../../src/export/population/poisson-bounds.ts';

test.each([
  // Garwood's table, as in Pearson and Hartley, Biometrika Tables for Statisticians I, table 40.
  [0, 0, 3.69],
  [1, 0.0253, 5.57],
  [5, 1.62, 11.67],
  [10, 4.8, 18.39],
  [50, 37.11, 65.92],
])('the bounds of a count of %d are those of the table', (count, low, high) => {
  const bounds = poissonBounds(count);
  expect(bounds.low).toBeCloseTo(low, 2);
  expect(bounds.high).toBeCloseTo(high, 2);
});

test('the bounds of large counts go on where the exact ones end', () => {
  const [exact, cubed] = [poissonBounds(199), poissonBounds(200)];
  for (const [before, after] of [
    [exact.low, cubed.low],
    [exact.high, cubed.high],
  ] as const) {
    expect(after - before).toBeGreaterThan(0.9);
    expect(after - before).toBeLessThan(1.1);
  }
  expect(poissonBounds(1_000_000).low / 1_000_000).toBeCloseTo(1 - 1.96 / 1_000, 4);
});
