import { COUNTS, LIMITS } from '../model/facts/fact-leaves.ts';
import { meaningOf } from '../model/facts/instance-facts.ts';
import { GROWTH_DAYS } from '../model/instance-record.ts';
import { DAY_MS, type EpochMs } from '../model/time.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';

/** Counts of an instance; null is unknown. */
export type Counts = Omit<InstanceEntry['usage'], 'asOf'>;

interface Measured {
  readonly entry: Pick<InstanceEntry, 'limits' | 'growth' | 'firstSeen'>;
  /** All null when they are implausible. */
  readonly counts: Counts;
}

const FACTS = [...LIMITS, ...COUNTS].filter(({ meta }) => meta.filter === 'range');

/** A number by which the API, the pages and the script of the static site filter instances. */
export interface Measure<Key extends string = string> {
  readonly key: Key;
  /** With its unit. */
  readonly meaning: string;
  /** Null is unknown: no filter finds it. */
  readonly get: (instance: Measured, at: EpochMs) => number | null;
}

type MeasureKey = (typeof FACTS)[number]['key'] | 'growth' | 'ageDays';

/** One row for each number that can be filtered by; the parameters are its key with `.min` and `.max`. */
export const MEASURES: readonly Measure<MeasureKey>[] = [
  ...FACTS.map(({ key, meta, get }) => ({
    key,
    meaning: meaningOf(meta),
    get: ({ entry: { limits }, counts: usage }: Measured) => get({ limits, usage }) as number | null,
  })),
  { key: 'growth', meaning: `Users gained in ${GROWTH_DAYS} days`, get: ({ entry }) => entry.growth },
  {
    key: 'ageDays',
    meaning: 'Days since the domain first became known',
    get: ({ entry }, at) => Math.floor((at - Date.parse(entry.firstSeen)) / DAY_MS),
  },
];

/** The filters by a number that the pages offer, by the name of their parameter, which is that of the API, with the minimums to choose from. */
export const STEPS = {
  'maxVideoSizeMB.min': [50, 100, 500],
  'maxVideoDurationSeconds.min': [60, 180, 600],
  'ageDays.min': [30, 180, 365],
  'growth.min': [1, 10, 100],
} as const satisfies Partial<Record<`${MeasureKey}.min`, readonly number[]>>;

export type Minimum = keyof typeof STEPS;
export const MINIMUMS = Object.keys(STEPS) as Minimum[];

/** An object with one value per filter by a number. */
export function byMinimum<Value>(make: (minimum: Minimum) => Value): Record<Minimum, Value> {
  return Object.fromEntries(MINIMUMS.map((minimum) => [minimum, make(minimum)])) as Record<Minimum, Value>;
}

/** The number to which a minimum applies. */
export function measuredBy(minimum: Minimum, instance: Measured, at: EpochMs): number | null {
  const measure = MEASURES.find(({ key }) => `${key}.min` === minimum);
  return measure?.get(instance, at) ?? null;
}
