import type { Population } from '../schema/population.ts';
import { assumptions } from './assumptions.ts';
import type { CaptureTally } from './capture-tally.ts';
import { estimatePopulation, type PopulationEstimate } from './estimate-population.ts';
import { isAnyDependent, nearCopies } from './near-copies.ts';
import { type Doubt, populationWords } from './population-words.ts';

/**
 * How many instances there are, as it is published: in whole numbers, the interval rounded outwards. Sources that are near copies of each
 * other count as one. Those that are known without any source are among those that the estimate counts as not listed; where there are
 * more of them than its interval allows, it is wrong, and none is given.
 */
export function populationOf(tally: CaptureTally): Population {
  const { known, listedBy } = tally;
  const sources = tally.sources().length;
  const { apart, wellApart, areAllAlike } = nearCopies(tally);
  const counts = apart.counts();
  const made = estimatePopulation(counts);
  const isBelied = made !== null && known > Math.ceil(made.high);
  const whole = isBelied ? null : made;
  const atLeast = (value: number) => Math.max(known, value);
  const numbers = {
    known,
    estimate: whole === null ? null : atLeast(Math.round(whole.estimate)),
    low: whole === null ? null : atLeast(Math.floor(whole.low)),
    high: whole === null ? null : atLeast(Math.ceil(whole.high)),
    sources,
    nearCopies: sources - apart.sources().length,
    sourcesAgree: whole === null ? null : doAgree(apart, whole),
  };
  const doubt = (): Doubt | null => {
    if (whole === null) return null;
    if (numbers.sourcesAgree === false) return 'dependent';
    if (counts.all.includes(counts.captured)) return 'contained';
    if (areAllAlike) return 'alike';
    if (wellApart !== null && restsOnCopies(whole, wellApart)) return 'copies';
    return whole.isSparse ? 'sparse' : null;
  };
  return {
    ...numbers,
    listedBy: { ...listedBy },
    words: populationWords({ ...numbers, isBelied, recaptured: counts.recaptured, doubt: doubt() }),
    assumptions: [...assumptions],
  };
}

/** Whether, were those copies that may be, the estimate would be none, nearer to the end of its interval, or beyond it. */
function restsOnCopies({ estimate, high }: PopulationEstimate, wellApart: CaptureTally): boolean {
  const apart = estimatePopulation(wellApart.counts());
  // Where all become one, each knows nearly all that is known: what that is worth is told otherwise.
  if (apart === null) return wellApart.sources().length > 1;
  return apart.estimate - estimate > (high - estimate) / 2;
}

/** Whether the sources seem to be independent; null where fewer than three leave nothing to compare. */
function doAgree(tally: CaptureTally, whole: PopulationEstimate): boolean | null {
  const sources = tally.sources();
  if (sources.length < 3) return null;
  const without = sources.flatMap((left) => estimatePopulation(tally.counts(left)) ?? []);
  if (without.length === 0) return null;
  return without.every(({ low, high }) => low <= whole.high && whole.low <= high) && !isAnyDependent(tally);
}
