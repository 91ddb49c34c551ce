import type { Population } from '../schema/population.ts';
import { lowerLimit } from './lower-limit.ts';
import type { SourceOverlap } from './source-overlap.ts';

/**
 * An estimate requires that at least this share of the entries of all sources name an instance that another source lists too: `1 - Q1 / U`
 * with `Q1` instances on one source and `U` entries, the sample coverage of Good and Turing. Sources that divide the instances among
 * themselves have a few in common by chance, and the smaller that number, the larger the estimate would be.
 */
const LEAST_SHARED = 1 / 2;

/** What the estimate assumes, and how wrong it is where the assumption does not hold. */
export const ASSUMPTION =
  'Sources do not avoid each other’s entries, and list about equally many. Where one copies another, or some servers are better known than others, the true number is larger still. Where sources divide the servers among themselves, such as by language, or one lists many times as many as another, the limit may be too high: see the overlap of the sources. Servers that no source could ever list are not included.';

/**
 * The estimated number of instances, known or not, as published: rounded down, and never below the known number. Instances without a
 * source (submitted, or found by crawling) are known, but not observed by a source.
 */
export function populationOf(overlap: SourceOverlap): Population {
  const { known, listedBy, sources } = overlap;
  const { none, one, two } = listedBy;
  const { entries } = overlap;
  const isShared = entries - one >= LEAST_SHARED * entries;
  const limit = () => lowerLimit({ sources, observed: known - none, uniques: one, duplicates: two });
  const atLeast = sources < 2 || !isShared ? null : Math.max(known, Math.floor(limit()));
  return {
    known,
    atLeast,
    sources,
    listedBy: { ...listedBy },
    overlap: overlap.pairs(),
    words:
      atLeast !== null
        ? `${known} known of at least ${atLeast} (lower end of the 95 % interval), by the overlap of ${sources} sources.`
        : sources < 2
          ? `${known} known; estimating the total requires at least two sources that list known servers.`
          : `${known} known; the total is not estimated, because the sources overlap too little: ${entries - one} of their ${entries} entries are listed by another source too, and at least half must be.`,
    assumption: ASSUMPTION,
  };
}
