import { describe, expect, test } from 'vitest';
import { copyingFleets, independentFleets, overlappingFleets, sharingFleets } from './fleets.ts';
import { surveyFleet } from './survey-fleet.ts';

const DRAWS = 200;

describe('over 200 seeded draws of a fleet of known size, the 95 % interval', () => {
  test.each(independentFleets)('holds the truth where sources are independent: $name', (fleet) => {
    const { held, untold, estimate, doubted } = surveyFleet(fleet, DRAWS);
    expect(untold).toBeLessThanOrEqual(DRAWS * 0.05);
    // A true 95 % is seen below 91 % in 200 draws less than once in a hundred times.
    expect(held / (DRAWS - untold)).toBeGreaterThanOrEqual(0.91);
    expect(estimate).toBeGreaterThan(0.95);
    expect(estimate).toBeLessThan(1.05);
    expect(doubted).toBeLessThanOrEqual(DRAWS * 0.08);
  });

  test.each(overlappingFleets)('is a lower bound where some instances are better known than others: $name', (fleet) => {
    const { above, estimate, known } = surveyFleet(fleet, DRAWS);
    expect(above).toBeLessThanOrEqual(DRAWS * 0.05);
    expect(estimate).toBeLessThanOrEqual(1);
    // It tells of more than are known all the same.
    expect(estimate).toBeGreaterThan(known + 0.1);
  });

  test.each(copyingFleets)('is too low, and said not to be relied upon, where $name', (fleet) => {
    const { held, below, doubted } = surveyFleet(fleet, DRAWS);
    expect(held).toBeLessThan(DRAWS * 0.1);
    expect(below).toBeGreaterThan(DRAWS * 0.9);
    expect(doubted).toBeGreaterThan(DRAWS * 0.95);
  });

  test.each(sharingFleets)('is too high where sources share the instances out: $name', (fleet) => {
    const { below, above, estimate } = surveyFleet(fleet, DRAWS);
    expect(estimate).toBeGreaterThan(1);
    expect(above).toBeGreaterThan(DRAWS * 0.1);
    expect(below).toBeLessThanOrEqual(DRAWS * 0.05);
  });
});

test('Chao2, which takes sources to be of equal size, does not hold the truth where they are not', () => {
  const unequal = independentFleets.filter(({ name }) => name.includes('unequal'));
  expect(unequal.length).toBeGreaterThan(1);
  for (const fleet of unequal) expect(surveyFleet(fleet, DRAWS).heldByChao2, fleet.name).toBeLessThan(DRAWS * 0.1);
});
