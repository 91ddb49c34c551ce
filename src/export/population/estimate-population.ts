import type { CaptureCounts } from './capture-tally.ts';
import { poissonBounds } from './poisson-bounds.ts';

/** How many there are in all, with the 95 % interval; not rounded. */
export interface PopulationEstimate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Whether so few are on several lists that the estimate is biased, however wide its interval is. */
  readonly isSparse: boolean;
}

/** Two-sided 95 % of the normal distribution. */
const Z = 1.96;

/** Fewer in common leave a bias that matters, unless the lists together are as long as what they list. */
const LEAST_RECAPTURED = 7;

/**
 * The size of a population of which several lists each hold a part: Chao's lower bound for lists of unequal size.
 *
 * With `S` listed by anybody, `u[j]` by list `j` alone and `Q2` by exactly two, those on no list are estimated by
 *
 *     f0 = P / (Q2 + 1),   P = sum over pairs j < k of u[j] u[k],   N = S + f0
 *
 * (A. Chao, "Estimating population size for sparse data in capture-recapture experiments", Biometrics 45 (1989), 427-438, model Mt).
 * Where each member is as likely as any other to be on a list, `f0` is nearly unbiased however unequal the lists are; where some
 * are likelier than others to be on all of them, it is a lower bound. Of two lists it is Chapman's estimator; of lists that list
 * equally many it is, on average, Chao2 with bias correction, `(t - 1)/t Q1 (Q1 - 1) / (2 (Q2 + 1))` (Chao, Biometrics 43 (1987),
 * 783-791; Chao, in Encyclopedia of Statistical Sciences, 2005), which overshoots where lists are unequal.
 *
 * The interval: `u[j]` and `Q2` are Poisson, and those missed are a random part of the whole. Of what is above the fraction, and of the
 * missed, the variance is taken to be log-normal (Chao 1987), so that the interval never goes below `S`. Of `Q2` the exact bounds of a
 * Poisson count are taken, since where it is small, `f0` is far more spread than any variance tells; of no `Q2` the bound of one. Both
 * distances are put together on the log scale (G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008), 1693-1702, MOVER):
 *
 *     var = f0 + sum u[j] (Q1 - u[j])^2 / (Q2 + 1)^2,   b = 1.96 sqrt(ln(1 + var / f0^2))
 *     [S + f0 exp(-sqrt(ln((Q2 + 1) / high(Q2))^2 + b^2)),  S + f0 exp(sqrt(ln((Q2 + 1) / low(max(Q2, 1)))^2 + b^2))]
 *
 * Where most are on three lists or more, `Q2` is small because much is in common, and not little. So with `Q2` below seven the upper end is
 * not above that of Lincoln and Petersen, over all pairs of lists with the `R` that are on several: `sum n[j] n[k] / (sum m[jk] low(R) / R)`.
 *
 * Where fewer than two lists hold anything alone, `f0` is 0 and tells nothing of its spread. The upper end is then that of R. K.
 * Colwell, EstimateS user's guide, appendix B, with `M` listings in all: `P = exp(-M / S)`, `(S + 1.96 sqrt(S P)) / (1 - P)`.
 *
 * It is sparse with fewer than seven on several lists (D. S. Robson and H. A. Regier, Transactions of the American Fisheries Society 93
 * (1964), 215-226), unless `M >= N`, where nothing is biased (D. G. Chapman, University of California Publications in Statistics 1 (1951)).
 *
 * @returns null when nothing can be said: fewer than two lists, or no member on two of them.
 */
export function estimatePopulation(counts: CaptureCounts): PopulationEstimate | null {
  const { captured, recaptured, all, alone, twice, shared } = counts;
  if (alone.length < 2 || recaptured === 0) return null;
  const listings = sumOf(all);
  const isSparseAt = (estimate: number) => recaptured < LEAST_RECAPTURED && listings < estimate;
  const products = productsOf(alone);
  if (products === 0) {
    const missed = Math.exp(-listings / captured);
    const high = (captured + Z * Math.sqrt(captured * missed)) / (1 - missed);
    return { estimate: captured, low: captured, high, isSparse: isSparseAt(captured) };
  }
  const once = sumOf(alone);
  const unlisted = products / (twice + 1);
  const estimate = captured + unlisted;
  const ofOnce = sumOf(alone.map((own) => own * (once - own) ** 2)) / (twice + 1) ** 2;
  const rest = Z * Math.sqrt(Math.log(1 + (unlisted + ofOnce) / unlisted ** 2));
  const factor = (bound: number) => Math.exp(Math.hypot(Math.log((twice + 1) / bound), rest));
  const most = captured + unlisted * factor(poissonBounds(Math.max(twice, 1)).low);
  const mostOfPairs = (productsOf(all) * recaptured) / (shared * poissonBounds(recaptured).low);
  return {
    estimate,
    low: captured + unlisted / factor(poissonBounds(twice).high),
    high: twice < LEAST_RECAPTURED ? Math.max(estimate, Math.min(most, mostOfPairs)) : most,
    isSparse: isSparseAt(estimate),
  };
}

/** Over all pairs, the sum of their products. */
function productsOf(values: readonly number[]): number {
  return (sumOf(values) ** 2 - sumOf(values.map((value) => value ** 2))) / 2;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
