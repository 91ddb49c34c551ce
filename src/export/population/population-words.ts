import type { Population } from '../schema/population.ts';

interface Told extends Pick<Population, 'known' | 'estimate' | 'low' | 'high' | 'sources' | 'sourcesAgree'> {
  /** Whether more are known than the interval of the sources allows. */
  isBelied: boolean;
  /** Whether at most one source lists any that no other lists. */
  isContained: boolean;
}

/** How many are known of how many, in a sentence: `12 known of about 15 (95 % interval 13 to 22), ...`. */
export function populationWords({
  known,
  estimate,
  low,
  high,
  sources,
  sourcesAgree,
  isBelied,
  isContained,
}: Told): string {
  if (estimate !== null) {
    const doubt =
      sourcesAgree === false
        ? '; but some of these depend on one another, so do not rely on it'
        : isContained
          ? '; but one of these lists all that the others do, as a copy would, so do not rely on it'
          : '';
    return `${known} known of about ${estimate} (95 % interval ${low} to ${high}), by the overlap of ${sources} sources${doubt}.`;
  }
  const why = isBelied
    ? `more are known from elsewhere than the overlap of the ${sources} sources allows for`
    : sources < 2
      ? 'it takes at least two sources that list any of them'
      : `of the ${sources} sources that list any of them, no two list the same`;
  return `${known} known; of how many cannot be told: ${why}.`;
}
