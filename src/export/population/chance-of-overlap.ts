/** Members of a whole that are on both of two lists, on one alone, on the other alone, and on neither. */
export interface Overlap {
  readonly both: number;
  readonly one: number;
  readonly other: number;
  readonly neither: number;
}

/**
 * How likely two lists of that length that know nothing of each other have at least so much in common, and at most so much: the tails of
 * R. A. Fisher's exact test (Journal of the Royal Statistical Society 98 (1935), 39-82), each with what was found itself.
 */
export function chanceOfOverlap({ both, one, other, neither }: Overlap): { atLeast: number; atMost: number } {
  const [first, second, whole] = [both + one, both + other, both + one + other + neither];
  const least = Math.max(0, first + second - whole);
  const most = Math.min(first, second);
  // Relative to what was found, so that nothing but the tails is lost to rounding.
  const ratioUp = (of: number) => ((first - of) * (second - of)) / ((of + 1) * (whole - first - second + of + 1));
  let [above, below] = [0, 0];
  for (let of = both, term = 1; of < most && term > 1e-18; of++) above += term *= ratioUp(of);
  for (let of = both, term = 1; of > least && term > 1e-18; of--) below += term /= ratioUp(of - 1);
  const sum = 1 + above + below;
  return { atLeast: (1 + above) / sum, atMost: (1 + below) / sum };
}
