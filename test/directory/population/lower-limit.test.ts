import { describe, expect, test } from 'vitest';
import { lowerLimit } from '../../../src/directory/population/lower-limit.ts';
import { ASSUMPTION } from '../../../src/directory/population/population-of.ts';
import { createDraw } from '../../simulation/draw.ts';

// The manual calculations use the symbols of `lowerLimit`.
describe('the lower limit', () => {
  test('equals the manual calculation for two sources that list five each alone and eight together', () => {
    // f0 = 1/2 100/16 = 3.125; V = 8 (1.5625/4 + 1.953125/4 + 2.44140625/16) = 8.251953125; V / f0^2 = 0.845.
    const limit = 18 + 3.125 / Math.exp(1.96 * Math.sqrt(Math.log(1.845)));
    expect(limit).toBeCloseTo(18.674, 3);
    expect(lowerLimit({ sources: 2, observed: 18, uniques: 10, duplicates: 8 })).toBeCloseTo(limit, 10);
  });

  test('equals the manual calculation for the three lists of the hepatitis outbreak in Taiwan, 1995', () => {
    // Counts: Chao, Tsay, Lin, Shau and Chao, Statistics in Medicine 20 (2001), table II; the true number was 545.
    // f0 = 2/3 187^2/112 = 208.149; V = 56 (11.1508/3 + 4/9 37.2358 + 124.3414/9) = 1908.58; V / f0^2 = 0.044052.
    const limit = lowerLimit({ sources: 3, observed: 271, uniques: 187, duplicates: 56 });
    expect(limit).toBeCloseTo(271 + 208.149 / Math.exp(1.96 * Math.sqrt(Math.log(1.044052))), 1);
    expect(limit).toBeCloseTo(409.56, 2);
  });

  test('equals the manual calculation if no two sources overlap', () => {
    // f0 = 1/2 4 3/2 = 3; V = 3 + 1/4 4 49/4 - 1/4 256/28 = 12.9643; V / f0^2 = 1.44048.
    const limit = 4 + 3 / Math.exp(1.96 * Math.sqrt(Math.log(1 + (3 + 12.25 - 64 / 28) / 9)));
    expect(limit).toBeCloseTo(4.471, 3);
    expect(lowerLimit({ sources: 2, observed: 4, uniques: 4, duplicates: 0 })).toBeCloseTo(limit, 10);
  });

  test('is the number observed if the estimated number of unobserved instances is zero, and never below it', () => {
    expect(lowerLimit({ sources: 4, observed: 50, uniques: 0, duplicates: 20 })).toBe(50);
    expect(lowerLimit({ sources: 3, observed: 7, uniques: 1, duplicates: 0 })).toBe(7);
    for (const uniques of [2, 3, 10, 1_000]) {
      for (const duplicates of [0, 1, 100]) {
        const observed = uniques + duplicates;
        expect(lowerLimit({ sources: 2, observed, uniques, duplicates })).toBeGreaterThanOrEqual(observed);
      }
    }
  });
});

describe('over 400 seeded draws of 400 instances, the lower limit', () => {
  test.each([
    [0.3, 0.3, 0.3, 0.3],
    [0.5, 0.4],
  ])(
    'is rarely above the true number, and always clearly above the number observed, if independent sources list about equally many',
    (...chances) => {
      const { aboveTrue, aboveObserved } = simulateSurveys(chances);
      expect(aboveTrue).toBeLessThan(0.07);
      expect(aboveObserved).toBe(1);
    },
  );

  test('is often above the true number if one source lists ten times as many as another, as the published assumption states', () => {
    expect(simulateSurveys([0.6, 0.3, 0.1, 0.05]).aboveTrue).toBeGreaterThan(0.5);
    expect(ASSUMPTION).toContain('list about equally many');
  });
});

/** The shares of draws with the limit above the true number, and clearly above the number observed. */
function simulateSurveys(chances: readonly number[]) {
  const [size, draws] = [400, 400];
  const limits = Array.from({ length: draws }, (_, seed) => {
    const draw = createDraw(seed + 1);
    const listings = Array.from({ length: size }, () => chances.filter((chance) => draw() < chance).length);
    const [none, uniques, duplicates] = [0, 1, 2].map(
      (count) => listings.filter((listing) => listing === count).length,
    );
    const observed = size - (none ?? 0);
    const limit = lowerLimit({ sources: chances.length, observed, uniques: uniques ?? 0, duplicates: duplicates ?? 0 });
    return { observed, limit };
  });
  const shareOf = (count: number) => count / draws;
  return {
    aboveTrue: shareOf(limits.filter(({ limit }) => limit > size).length),
    aboveObserved: shareOf(limits.filter(({ limit, observed }) => limit > observed + 5).length),
  };
}
