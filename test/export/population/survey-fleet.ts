import { type CaptureCounts, CaptureTally } from '../../../src/export/population/capture-tally.ts';
import { populationOf } from '../../../src/export/population/population-of.ts';
import { drawListings, type Fleet } from './fleets.ts';

/** What came of drawing a fleet many times. */
export interface FleetSurvey {
  readonly draws: number;
  /** Draws of which no estimate could be made. */
  readonly untold: number;
  /** Draws in which the interval holds the true size. */
  readonly held: number;
  /** The same of the interval of Chao2, bias-corrected, for comparison. */
  readonly heldByChao2: number;
  /** Draws in which the whole interval lies above, and below, the true size. */
  readonly above: number;
  readonly below: number;
  /** Draws in which the estimate does not stand when one of the sources is left out. */
  readonly doubted: number;
  /** Draws in which the words warn of relying on the estimate; and those that miss the true size without such a warning. */
  readonly warned: number;
  readonly missedUnwarned: number;
  /** Draws in which sources are taken as one. */
  readonly merged: number;
  /** Medians over the draws, as parts of the true size. */
  readonly known: number;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export function surveyFleet(fleet: Fleet, draws = 200): FleetSurvey {
  const populations = Array.from({ length: draws }, (_, seed) => {
    const tally = new CaptureTally();
    for (const sources of drawListings(fleet, seed + 1)) tally.add(sources);
    return { ...populationOf(tally), isHeldByChao2: isHeldByChao2(tally.counts(), fleet.size) };
  });
  const told = populations.flatMap(({ known, estimate, low, high, sourcesAgree, words }) =>
    estimate === null || low === null || high === null
      ? []
      : [{ known, estimate, low, high, isDoubted: sourcesAgree === false, isWarned: words.includes('do not rely') }],
  );
  const median = (field: 'known' | 'estimate' | 'low' | 'high') => {
    const sorted = told.map((one) => one[field]).sort((one, other) => one - other);
    return (sorted[sorted.length >> 1] ?? Number.NaN) / fleet.size;
  };
  return {
    draws,
    untold: draws - told.length,
    held: told.filter(({ low, high }) => low <= fleet.size && fleet.size <= high).length,
    heldByChao2: populations.filter(({ isHeldByChao2 }) => isHeldByChao2).length,
    above: told.filter(({ low }) => low > fleet.size).length,
    below: told.filter(({ high }) => high < fleet.size).length,
    doubted: told.filter(({ isDoubted }) => isDoubted).length,
    warned: told.filter(({ isWarned }) => isWarned).length,
    missedUnwarned: told.filter(({ low, high, isWarned }) => !isWarned && (fleet.size < low || high < fleet.size))
      .length,
    merged: populations.filter(({ nearCopies }) => nearCopies !== undefined && nearCopies > 0).length,
    known: median('known'),
    estimate: median('estimate'),
    low: median('low'),
    high: median('high'),
  };
}

/** Chao2-bc and its interval, as A. Chao and others give them in SpadeR (2016). */
function isHeldByChao2({ captured, alone, twice }: CaptureCounts, size: number): boolean {
  const part = (alone.length - 1) / alone.length;
  const once = alone.reduce((sum, own) => sum + own, 0);
  const unlisted = (part * once * (once - 1)) / (2 * (twice + 1));
  if (unlisted === 0) return size === captured;
  const ofOnce = (part ** 2 * once * (2 * once - 1) ** 2) / (4 * (twice + 1) ** 2);
  const ofTwice = (part ** 2 * once ** 2 * twice * (once - 1) ** 2) / (4 * (twice + 1) ** 4);
  const factor = Math.exp(1.96 * Math.sqrt(Math.log(1 + (unlisted + ofOnce + ofTwice) / unlisted ** 2)));
  return captured + unlisted / factor <= size && size <= captured + unlisted * factor;
}
