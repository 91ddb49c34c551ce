import { byKey, COUNTS, FEATURES, LIMITS } from '../../model/facts/fact-leaves.ts';
import type { StatsPoint } from '../schema/stats-file.ts';
import { type CountedFact, type CountedUsage, isoDay, type StatsBook } from './stats-book.ts';

type Counts = ReadonlyMap<string | number | boolean, number>;

/** Maximum names per day: a server can report any version or mode. */
const MAX_NAMES = 20;

/** One point per day (UTC), oldest first, from the first listing of an instance on. Add every instance to the book before; its series can be read only once. */
export function* pointsOf(book: StatsBook): Iterable<StatsPoint> {
  if (book.firstDay === null) return;
  for (let day = book.firstDay; day <= book.lastDay; day++) yield pointOf(book, day);
}

function pointOf(book: StatsBook, day: number): StatsPoint {
  const values = (fact: CountedFact): Counts => book.facts.get(fact)?.advanceTo(day) ?? new Map();
  const sum = (count: CountedUsage) =>
    book.usage.get(count)?.advanceTo(day) ?? { total: null, reporting: 0, implausible: 0 };
  const status = values('status');
  return {
    day: isoDay(day),
    instances: totalOf(status),
    up: status.get('up') ?? 0,
    down: status.get('down') ?? 0,
    usage: byKey(COUNTS, ({ key }) => sum(key)),
    versions: countNames(values('version')),
    registration: { open: countAnswers(values('registration.open')), mode: countNames(values('registration.mode')) },
    federation: countAnswers(values('federation')),
    features: byKey(FEATURES, ({ path }) => countAnswers(values(path))),
    limits: byKey(LIMITS, ({ path }) => spreadOf(values(path))),
  };
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

function countNames(counts: Counts) {
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
