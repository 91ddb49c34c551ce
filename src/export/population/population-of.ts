import type { Population } from '../schema/population.ts';
import { assumptions } from './assumptions.ts';
import type { CaptureTally } from './capture-tally.ts';
import { estimatePopulation } from './estimate-population.ts';
import { populationWords } from './population-words.ts';

/**
 * How many instances there are, as it is published: in whole numbers, the interval rounded outwards. Those that are known without any
 * source are among those that the estimate counts as not listed; where there are more of them than its interval allows, it is wrong, and
 * none is given.
 */
export function populationOf(tally: CaptureTally): Population {
  const { known, listedBy } = tally;
  const sources = tally.sources();
  const counts = tally.counts();
  const made = estimatePopulation(counts);
  const isBelied = made !== null && known > Math.ceil(made.high);
  const whole = isBelied ? null : made;
  const atLeast = (value: number) => Math.max(known, value);
  const without =
    sources.length < 3 ? [] : sources.flatMap((source) => estimatePopulation(tally.countsWithout(source)) ?? []);
  const numbers = {
    known,
    estimate: whole === null ? null : atLeast(Math.round(whole.estimate)),
    low: whole === null ? null : atLeast(Math.floor(whole.low)),
    high: whole === null ? null : atLeast(Math.ceil(whole.high)),
    sources: sources.length,
    sourcesAgree:
      without.length === 0 || whole === null
        ? null
        : without.every(({ low, high }) => low <= whole.high && whole.low <= high),
  };
  return {
    ...numbers,
    listedBy: { ...listedBy },
    words: populationWords({
      ...numbers,
      isBelied,
      isContained: counts.alone.filter((own) => own > 0).length < 2,
    }),
    assumptions: [...assumptions],
  };
}
