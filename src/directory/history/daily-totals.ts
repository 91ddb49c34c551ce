import {
  byKey,
  COUNTS,
  FACT_LEAVES,
  type FactPath,
  FEATURES,
  HOSTING_LEAVES,
  HOSTING_NAMES,
  LIMITS,
} from '../../model/facts/fact-leaves.ts';
import type { FactValue } from '../../model/facts/fact-value.ts';
import { areCountsImplausible } from '../../model/facts/usage-flags.ts';
import type { UsageSample } from '../../model/facts/usage-sample.ts';
import { dayOf, isoDay } from '../periods.ts';
import type { StatsPoint } from '../schema/stats-file.ts';
import type { ListedHistory, ListedSegment } from './listed-history.ts';
import { type Counts, type Summand, SumSeries, type Value, ValueSeries } from './value-series.ts';

/** Facts for which instances are counted by value. Usage counts are summed instead. */
const FACTS = [...HOSTING_LEAVES, ...FACT_LEAVES].flatMap(({ path, meta }) =>
  meta.statistics === undefined || meta.statistics === 'sum' ? [] : [path],
);

type CountedFact = FactPath | 'status';
type CountedUsage = (typeof COUNTS)[number]['key'];

/** Maximum names per day: a server can report any version or mode, and networks are many. */
const MAX_NAMES = 20;

/** Collects the histories of instances one by one, and then returns their totals day by day. */
export class DailyTotals {
  readonly #facts = new Map<CountedFact, ValueSeries>(
    [...FACTS, 'status' as const].map((fact) => [fact, new ValueSeries()]),
  );
  readonly #usage = new Map<CountedUsage, SumSeries>(COUNTS.map(({ key }) => [key, new SumSeries()]));
  /** The day on which the first instance was listed, in days since the epoch; null when none ever was. */
  #firstDay: number | null = null;
  readonly #lastDay: number;

  /** @param lastDay the current day, in days since the epoch. */
  constructor(lastDay: number) {
    this.#lastDay = lastDay;
  }

  add({ history, segments }: ListedHistory): void {
    if (!segments.some(({ isListed }) => isListed)) return;
    const dailyCounts = carriedCounts(history.usage(), this.#lastDay);
    const dailySegments = segmentsByDay(segments, dayOf(history.record.firstSeen), this.#lastDay);
    let [nextSegment, nextCounts] = [0, 0];
    let segment: ListedSegment | null = null;
    let counts: UsageSample | null = null;
    while (nextSegment < dailySegments.length || nextCounts < dailyCounts.length) {
      const day = Math.min(
        dailySegments[nextSegment]?.day ?? Number.POSITIVE_INFINITY,
        dailyCounts[nextCounts]?.day ?? Number.POSITIVE_INFINITY,
      );
      const before: { segment: ListedSegment | null; counts: UsageSample | null } = { segment, counts };
      if (dailySegments[nextSegment]?.day === day) segment = dailySegments[nextSegment++]?.segment ?? null;
      if (dailyCounts[nextCounts]?.day === day) counts = dailyCounts[nextCounts++]?.counts ?? null;
      if (segment?.isListed) this.#firstDay = Math.min(this.#firstDay ?? day, day);
      if (segment !== before.segment) this.#moveFacts(day, before.segment, segment);
      for (const [key, series] of this.#usage) {
        series.move(day, countOf(before.segment, before.counts, key), countOf(segment, counts, key));
      }
    }
  }

  #moveFacts(day: number, from: ListedSegment | null, to: ListedSegment | null): void {
    for (const [fact, series] of this.#facts) series.move(day, listedValue(from, fact), listedValue(to, fact));
  }

  /** One point per day (UTC), oldest first, from the first listing of an instance on. Call it once, after every instance was added. */
  *points(): Iterable<StatsPoint> {
    if (this.#firstDay === null) return;
    for (let day = this.#firstDay; day <= this.#lastDay; day++) yield this.#pointOf(day);
  }

  #pointOf(day: number): StatsPoint {
    const values = (fact: CountedFact): Counts => this.#facts.get(fact)?.advanceTo(day) ?? new Map();
    const sum = (count: CountedUsage) =>
      this.#usage.get(count)?.advanceTo(day) ?? { total: null, reporting: 0, implausible: 0 };
    const status = values('status');
    return {
      day: isoDay(day),
      instances: totalOf(status),
      up: status.get('up') ?? 0,
      down: status.get('down') ?? 0,
      usage: byKey(COUNTS, ({ key }) => sum(key)),
      versions: countNames(values('version')),
      hosting: byKey(HOSTING_NAMES, ({ path }) => countNames(values(path))),
      registration: { open: countAnswers(values('registration.open')), mode: countNames(values('registration.mode')) },
      federation: countAnswers(values('federation')),
      features: byKey(FEATURES, ({ path }) => countAnswers(values(path))),
      limits: byKey(LIMITS, ({ path }) => spreadOf(values(path))),
    };
  }
}

function countOf(segment: ListedSegment | null, counts: UsageSample | null, key: CountedUsage): Summand {
  if (!segment?.isListed || counts === null) return null;
  const { flags } = segment.facts;
  const isImplausible = counts[key] !== null && areCountsImplausible(counts, Array.isArray(flags) ? flags : []);
  return isImplausible ? 'implausible' : counts[key];
}

function listedValue(segment: ListedSegment | null, fact: CountedFact): Value {
  if (!segment?.isListed) return null;
  if (fact === 'status') return segment.facts.state === 'failing' ? 'down' : 'up';
  const value: FactValue | undefined = segment.facts[fact];
  return value === undefined || Array.isArray(value) ? null : value;
}

/** For each day on which the segment changes, the segment in force at the end of that day. Segments in the future start on the last day. */
function segmentsByDay(segments: readonly ListedSegment[], firstDay: number, lastDay: number) {
  const byDay: { day: number; segment: ListedSegment }[] = [];
  for (const segment of segments) {
    const day = Number.isFinite(segment.from) ? Math.min(dayOf(segment.from), lastDay) : Math.min(firstDay, lastDay);
    while ((byDay.at(-1)?.day ?? Number.NEGATIVE_INFINITY) >= day) byDay.pop();
    byDay.push({ day, segment });
  }
  return byDay;
}

/** The number of days for which a count is valid, including the day on which it was read. */
const CARRIED_DAYS = 7;

/** The counts in force from a day on: the last ones read, or null when these are too old. */
interface CarriedCounts {
  readonly day: number;
  readonly counts: UsageSample | null;
}

/**
 * Carries each count over to the following days, until the next one is read or the count is too old.
 * @param samples sorted by time.
 */
function carriedCounts(samples: Iterable<UsageSample>, lastDay: number): CarriedCounts[] {
  const carried: CarriedCounts[] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const counts of samples) {
    const day = Math.min(dayOf(counts.at), lastDay);
    if (until < day) carried.push({ day: until, counts: null });
    if (carried.at(-1)?.day === day) carried.pop();
    carried.push({ day, counts });
    until = day + CARRIED_DAYS;
  }
  if (until <= lastDay) carried.push({ day: until, counts: null });
  // Before the first count, `until` was minus infinity.
  return carried.filter(({ day }) => Number.isFinite(day));
}

function totalOf(counts: Counts): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}

function countAnswers(counts: Counts) {
  const [yes, no] = [counts.get(true) ?? 0, counts.get(false) ?? 0];
  return { yes, no, reporting: yes + no };
}

/** The most common names, and the numbers of other and of all instances with one. */
export function countNames(counts: Counts) {
  const reporting = totalOf(counts);
  const commonest = [...counts]
    .map(([name, instances]) => ({ name: String(name), instances }))
    .sort((one, other) => other.instances - one.instances || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_NAMES);
  const named = commonest.reduce((total, { instances }) => total + instances, 0);
  return { commonest, others: reporting - named, reporting };
}

/** The median is the lower of the two middle values, so it is a value that an instance has. */
function spreadOf(counts: Counts) {
  const reporting = totalOf(counts);
  const sorted = [...counts]
    .map(([value, instances]) => ({ value: Number(value), instances }))
    .sort((one, other) => one.value - other.value);
  let passed = 0;
  const median = sorted.find(({ instances }) => {
    passed += instances;
    return passed * 2 >= reporting;
  });
  return {
    least: sorted[0]?.value ?? null,
    median: median?.value ?? null,
    most: sorted.at(-1)?.value ?? null,
    reporting,
  };
}
