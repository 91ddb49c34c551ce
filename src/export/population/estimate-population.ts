import type { CaptureCounts } from './capture-tally.ts';

/** How many there are in all, with the 95 % interval; not rounded. */
export interface PopulationEstimate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Two-sided 95 % of the normal distribution. */
const Z = 1.96;

/**
 * The size of a population of which several lists each hold a part: Chao's lower bound for lists of unequal size.
 *
 * With `S` listed by anybody, `u[j]` by list `j` alone and `Q2` by exactly two, those on no list are estimated by
 *
 *     f0 = (sum over pairs j < k of u[j] u[k]) / (Q2 + 1),   N = S + f0
 *
 * (A. Chao, "Estimating population size for sparse data in capture-recapture experiments", Biometrics 45 (1989), 427-438, model Mt).
 * Where each member is as likely as any other to be on a list, `f0` is nearly unbiased however unequal the lists are; where some
 * are likelier than others to be on all of them, it is a lower bound. Of two lists it is Chapman's estimator; of lists that list
 * equally many it is, on average, Chao2 with bias correction, `(t - 1)/t Q1 (Q1 - 1) / (2 (Q2 + 1))` (Chao, Biometrics 43 (1987),
 * 783-791; Chao, in Encyclopedia of Statistical Sciences, 2005), which overshoots where lists are unequal.
 *
 * The variance is the asymptotic one of that estimator, in which `u[j]` and `Q2` are Poisson, and those missed are a random part of
 * the whole; the interval takes `f0` to be log-normal (Chao 1987), so that it never goes below `S`:
 *
 *     var = f0 + sum u[j] (Q1 - u[j])^2 / (Q2 + 1)^2 + Q2 f0^2 / (Q2 + 1)^2
 *     K = exp(1.96 sqrt(ln(1 + var / f0^2))),   [S + f0 / K, S + f0 K]
 *
 * Where fewer than two lists hold anything alone, `f0` is 0 and tells nothing of its spread. The upper end is then that of R. K.
 * Colwell, EstimateS user's guide, appendix B, with `M` listings in all: `P = exp(-M / S)`, `(S + 1.96 sqrt(S P)) / (1 - P)`.
 *
 * @returns null when nothing can be said: fewer than two lists, or no member on two of them.
 */
export function estimatePopulation(counts: CaptureCounts): PopulationEstimate | null {
  const { captured, recaptured, listings, alone, twice } = counts;
  if (alone.length < 2 || recaptured === 0) return null;
  const once = sumOf(alone);
  const pairs = (once ** 2 - sumOf(alone.map((own) => own ** 2))) / 2;
  if (pairs === 0) {
    const missed = Math.exp(-listings / captured);
    return {
      estimate: captured,
      low: captured,
      high: (captured + Z * Math.sqrt(captured * missed)) / (1 - missed),
    };
  }
  const unlisted = pairs / (twice + 1);
  const ofOnce = sumOf(alone.map((own) => own * (once - own) ** 2)) / (twice + 1) ** 2;
  const ofTwice = (twice * unlisted ** 2) / (twice + 1) ** 2;
  const variance = unlisted + ofOnce + ofTwice;
  const factor = Math.exp(Z * Math.sqrt(Math.log(1 + variance / unlisted ** 2)));
  return { estimate: captured + unlisted, low: captured + unlisted / factor, high: captured + unlisted * factor };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
