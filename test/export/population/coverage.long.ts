import { describe, expect, test } from 'vitest';
import { completeFleets, copyingFleets, independentFleets, sparseFleets, tinyFleets } from './fleets.ts';
import { surveyFleet } from './survey-fleet.ts';

const DRAWS = 4_000;
const fleets = [independentFleets, tinyFleets, completeFleets, sparseFleets, copyingFleets].flat();

describe('over 4,000 seeded draws of a fleet of known size', () => {
  test.each(fleets)('the 95 % interval holds the truth in nine of ten at the least: $name', (fleet) => {
    const { held, untold, missedUnwarned } = surveyFleet(fleet, DRAWS);
    expect(held / (DRAWS - untold)).toBeGreaterThan(0.925);
    expect(missedUnwarned / DRAWS).toBeLessThan(0.075);
  });
});
