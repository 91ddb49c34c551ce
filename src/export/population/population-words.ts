import type { Population } from '../schema/population.ts';

/** Why an estimate is not to be relied upon. */
export type Doubt = 'dependent' | 'alike' | 'contained' | 'copies' | 'sparse';

interface Told extends Pick<Population, 'known' | 'estimate' | 'low' | 'high' | 'sources'> {
  nearCopies: number;
  /** Whether more are known than the interval of the sources allows. */
  isBelied: boolean;
  /** How many are on more than one source, near copies taken as one. */
  recaptured: number;
  doubt: Doubt | null;
}

/** How many are known of how many, in a sentence: `12 known of about 15 (95 % interval 13 to 22), ...`. */
export function populationWords({
  known,
  estimate,
  low,
  high,
  sources,
  nearCopies,
  isBelied,
  recaptured,
  doubt,
}: Told): string {
  const copies = nearCopies === 0 ? '' : ` (near copies of one another, ${nearCopies} more, count with these)`;
  const apart = sources - nearCopies;
  if (estimate !== null) {
    const doubts: Readonly<Record<Doubt, string>> = {
      dependent: 'some of these depend on one another',
      alike: 'these list nearly the same, as copies would',
      contained: 'one of these lists all that the others do, as a copy would',
      copies: 'some of these may be copies of others, which the rest list too few to tell',
      sparse: `only ${recaptured} ${recaptured === 1 ? 'is' : 'are'} on more than one of these`,
    };
    const end = doubt === null ? '' : `; but ${doubts[doubt]}, so do not rely on it`;
    return `${known} known of about ${estimate} (95 % interval ${low} to ${high}), by the overlap of ${apart} sources${copies}${end}.`;
  }
  const why = isBelied
    ? `more are known from elsewhere than the overlap of the ${apart} sources${copies} allows for`
    : sources < 2
      ? 'it takes at least two sources that list any of them'
      : apart < 2
        ? `the ${sources} sources that list any of them are near copies of one another`
        : `of the ${apart} sources that list any of them${copies}, no two list the same`;
  return `${known} known; of how many cannot be told: ${why}.`;
}
