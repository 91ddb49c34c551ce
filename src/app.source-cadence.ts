import type { SourceRun } from './store/source-state.ts';

const HOUR_MS = 3_600_000;
/** After this many failures the wait no longer doubles. */
const MOST_DOUBLINGS = 10;

/** So long a source is left alone that asks for it, and no longer: a mistake of theirs is not to be for ever. */
export const LONGEST_WAIT_MS = 30 * 24 * HOUR_MS;

/**
 * When a source is due to be read again: after as long as the settings say, or, when it could not be read to its end, in an hour, which
 * doubles with each further time up to that; not before the time until which it asked to be left alone. Now, if the clock was ahead at
 * the last reading.
 *
 * @param runs newest first; no more of them are read than failed in a row.
 */
export function sourceDueAt(
  { runs, notBefore }: { runs: Iterable<SourceRun>; notBefore: number | null },
  everyHours: number,
  now: number,
): number {
  const everyMs = everyHours * HOUR_MS;
  let lastAt: number | null = null;
  let failures = 0;
  for (const run of runs) {
    lastAt ??= run.begunAt;
    if (!hasFailed(run) || failures === MOST_DOUBLINGS) break;
    failures += 1;
  }
  if (lastAt === null || lastAt > now) return now;
  const waitMs = failures === 0 ? everyMs : Math.min(everyMs, HOUR_MS * 2 ** (failures - 1));
  return Math.max(lastAt + waitMs, notBefore ?? 0);
}

/** One that is under way belongs to another process. */
function hasFailed({ outcome }: SourceRun): boolean {
  return outcome !== 'complete' && outcome !== 'unchanged';
}
