import { describe, expect, test } from 'vitest';
import {
  completeFleets,
  copyingFleets,
  independentFleets,
  mixedFleets,
  overlappingFleets,
  sharingFleets,
  sparseFleets,
  tinyFleets,
  vagueFleets,
} from './fleets.ts';
import { surveyFleet } from './survey-fleet.ts';

const DRAWS = 200;

describe('over 200 seeded draws of a fleet of known size, the 95 % interval', () => {
  test.each(independentFleets)('holds the truth where sources are independent: $name', (fleet) => {
    const { held, untold, estimate, doubted, merged } = surveyFleet(fleet, DRAWS);
    expect(untold).toBeLessThanOrEqual(DRAWS * 0.05);
    // A true 95 % is seen below 91 % in 200 draws less than once in a hundred times.
    expect(held / (DRAWS - untold)).toBeGreaterThanOrEqual(0.91);
    expect(estimate).toBeGreaterThan(0.95);
    expect(estimate).toBeLessThan(1.05);
    expect(doubted).toBeLessThanOrEqual(DRAWS * 0.08);
    expect(merged).toBe(0);
  });

  test.each(tinyFleets)('holds it, and is narrow, for so few as are on most lists: $name', (fleet) => {
    const { held, untold, estimate, high, merged, missedUnwarned } = surveyFleet(fleet, DRAWS);
    expect(untold).toBe(0);
    expect(held).toBeGreaterThanOrEqual(DRAWS * 0.93);
    expect(missedUnwarned).toBeLessThanOrEqual(DRAWS * 0.04);
    expect(estimate).toBe(1);
    expect(high).toBeLessThan(1.7);
    expect(merged).toBeLessThanOrEqual(DRAWS * 0.03);
  });

  test.each(completeFleets)('holds it where sources that know nearly all agree as copies do: $name', (fleet) => {
    const { held, untold, estimate, merged, warned } = surveyFleet(fleet, DRAWS);
    expect(untold).toBeLessThanOrEqual(DRAWS * 0.03);
    expect(held).toBeGreaterThanOrEqual(DRAWS * 0.93);
    expect(Math.abs(estimate - 1)).toBeLessThan(0.02);
    expect(merged).toBeLessThanOrEqual(DRAWS * 0.1);
    expect(warned).toBeLessThanOrEqual(DRAWS * 0.27);
  });

  test.each(sparseFleets)('holds it where hardly any are on two lists, and is warned of: $name', (fleet) => {
    const { held, untold, above, missedUnwarned, warned } = surveyFleet(fleet, DRAWS);
    expect(untold).toBeLessThanOrEqual(DRAWS * 0.5);
    expect(held / (DRAWS - untold)).toBeGreaterThanOrEqual(0.93);
    expect(above).toBeLessThanOrEqual(DRAWS * 0.03);
    expect(missedUnwarned).toBeLessThanOrEqual(DRAWS * 0.04);
    expect(warned / (DRAWS - untold)).toBeGreaterThan(0.35);
  });

  test.each(overlappingFleets)('is a lower bound where some instances are better known than others: $name', (fleet) => {
    const { above, estimate, known, missedUnwarned } = surveyFleet(fleet, DRAWS);
    expect(above).toBeLessThanOrEqual(DRAWS * 0.05);
    expect(estimate).toBeLessThanOrEqual(1);
    // It tells of more than are known all the same.
    expect(estimate).toBeGreaterThan(known + 0.1);
    expect(missedUnwarned).toBeLessThanOrEqual(DRAWS * 0.2);
  });

  test.each(copyingFleets)('holds it where a near copy counts as one with what it copies: $name', (fleet) => {
    const { held, merged, estimate, missedUnwarned } = surveyFleet(fleet, DRAWS);
    expect(merged).toBeGreaterThanOrEqual(DRAWS * 0.95);
    expect(held).toBeGreaterThanOrEqual(DRAWS * 0.91);
    expect(Math.abs(estimate - 1)).toBeLessThan(0.04);
    expect(missedUnwarned).toBeLessThanOrEqual(DRAWS * 0.07);
  });

  test.each(vagueFleets)(
    'misses it with a warning mostly where there is too little to tell copies by: $name',
    (fleet) => {
      const { untold, held, missedUnwarned } = surveyFleet(fleet, DRAWS);
      expect(untold).toBe(0);
      expect(held).toBeGreaterThanOrEqual(DRAWS * 0.65);
      expect(missedUnwarned).toBeLessThanOrEqual(DRAWS * 0.1);
    },
  );

  test.each(mixedFleets)('is too low, and said not to be relied upon, where $name', (fleet) => {
    const { above, doubted, merged, missedUnwarned } = surveyFleet(fleet, DRAWS);
    expect(merged).toBe(0);
    expect(above).toBe(0);
    expect(doubted).toBeGreaterThan(DRAWS * 0.93);
    expect(missedUnwarned).toBeLessThanOrEqual(DRAWS * 0.05);
  });

  test.each(sharingFleets)('is too high where sources share the instances out, and said so: $name', (fleet) => {
    const { below, above, estimate, doubted, missedUnwarned } = surveyFleet(fleet, DRAWS);
    expect(estimate).toBeGreaterThan(1);
    expect(above).toBeGreaterThan(DRAWS * 0.1);
    expect(below).toBeLessThanOrEqual(DRAWS * 0.05);
    expect(doubted).toBeGreaterThan(DRAWS * 0.95);
    expect(missedUnwarned).toBeLessThanOrEqual(DRAWS * 0.02);
  });
});

test('Chao2, which takes sources to be of equal size, does not hold the truth where they are not', () => {
  const unequal = independentFleets.filter(({ name }) => name.includes('unequal'));
  expect(unequal.length).toBeGreaterThan(1);
  for (const fleet of unequal) expect(surveyFleet(fleet, DRAWS).heldByChao2, fleet.name).toBeLessThan(DRAWS * 0.1);
});
