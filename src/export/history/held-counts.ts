import type { UsageSample } from '../../record/usage-sample.ts';
import { dayOf } from './day.ts';

/** On how many days a count stands for, that of its reading included. */
const HELD_DAYS = 7;

/** From a day on: the counts that hold; null when none was read for long. */
export interface HeldCounts {
  readonly day: number;
  readonly counts: UsageSample | null;
}

/** Since which day which counts hold, from samples that are sorted by time. */
export function heldCounts(samples: Iterable<UsageSample>, lastDay: number): HeldCounts[] {
  const held: HeldCounts[] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const counts of samples) {
    const day = Math.min(dayOf(counts.at), lastDay);
    if (until < day) held.push({ day: until, counts: null });
    if (held.at(-1)?.day === day) held.pop();
    held.push({ day, counts });
    until = day + HELD_DAYS;
  }
  if (until <= lastDay) held.push({ day: until, counts: null });
  return held.filter(({ day }) => Number.isFinite(day));
}
