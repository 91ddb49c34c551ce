export interface IncidenceCounts {
  /** Sources that list at least one instance; at least 1. */
  readonly sources: number;
  /** Instances that at least one source lists. */
  readonly observed: number;
  /** Instances that exactly one source lists. */
  readonly uniques: number;
  /** Instances that exactly two sources list. */
  readonly duplicates: number;
}

/** The quantile of the standard normal distribution for a two-sided 95 % interval. */
const Z = 1.96;

/**
 * The lower end of the two-sided 95 % confidence interval of the number of instances, by the estimator Chao2; not rounded.
 *
 * With `m` sources, `S` observed instances, `Q1` of them on one source and `Q2` on two, and `A = (m - 1) / m`, the
 * number of unobserved instances is
 *
 *     f0 = A Q1^2 / (2 Q2)            or, where Q2 is 0,   f0 = A Q1 (Q1 - 1) / 2
 *
 * It is a lower bound when some instances are likelier to be listed than others, but an overestimate when some sources are many times
 * larger than others, because it assumes sources of equal size. The variance of `f0` is
 *
 *     V = Q2 (A/2 (Q1/Q2)^2 + A^2 (Q1/Q2)^3 + A^2/4 (Q1/Q2)^4)
 *     or, where Q2 is 0,   V = A Q1 (Q1 - 1) / 2 + A^2 Q1 (2 Q1 - 1)^2 / 4 - A^2 Q1^4 / (4 (S + f0))
 *
 * With `f0` assumed log-normal, the interval starts at `S + f0 / exp(1.96 sqrt(ln(1 + V / f0^2)))`, never below `S`.
 *
 * Sources: A. Chao, "Estimating the population size for capture-recapture data with unequal catchability", Biometrics 43 (1987), 783-791;
 * A. Chao and C.-H. Chiu, "Species richness: estimation and comparison", Wiley StatsRef (2016).
 */
export function lowerLimit({ sources, observed, uniques, duplicates }: IncidenceCounts): number {
  const factor = (sources - 1) / sources;
  const unobserved =
    duplicates > 0 ? (factor * uniques ** 2) / (2 * duplicates) : (factor * uniques * (uniques - 1)) / 2;
  if (unobserved === 0) return observed;
  const ratio = uniques / duplicates;
  const variance =
    duplicates > 0
      ? duplicates * ((factor / 2) * ratio ** 2 + factor ** 2 * ratio ** 3 + (factor ** 2 / 4) * ratio ** 4)
      : unobserved +
        (factor ** 2 * uniques * (2 * uniques - 1) ** 2) / 4 -
        (factor ** 2 * uniques ** 4) / (4 * (observed + unobserved));
  return observed + unobserved / Math.exp(Z * Math.sqrt(Math.log(1 + variance / unobserved ** 2)));
}
