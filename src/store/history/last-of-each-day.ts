const DAY_MS = 86_400_000;

/** Of samples that are sorted by time, the last of each day (UTC). Later thinning (`retention.usageDays`) keeps these, so that the answer stays the same. */
export function* lastOfEachDay<Sample extends { at: number }>(samples: Iterable<Sample>): Iterable<Sample> {
  let kept: Sample | null = null;
  for (const sample of samples) {
    if (kept !== null && Math.floor(kept.at / DAY_MS) !== Math.floor(sample.at / DAY_MS)) yield kept;
    kept = sample;
  }
  if (kept !== null) yield kept;
}
