import { FEATURES } from '../../model/facts/fact-leaves.ts';
import { byMinimum, MINIMUMS, type Minimum, STEPS } from '../measures.ts';
import { type ListedInstance, type Snapshot, toSearchText } from '../snapshot.ts';
import type { Sort } from '../sort-instances.ts';
import { type Choice, type Filter, filtersOf, NAMES, type Name, type Order } from './choice.ts';
import { fairOrder } from './fair-order.ts';
import { type FilterValues, filterValuesOf } from './filter-values.ts';

/** For each value, the number of instances that would be found if it were chosen along with the other filters. */
type Counted<Value> = ReadonlyMap<Value, number>;

/**
 * A choice applied to the directory. For each minimum, the steps are counted, and by the key null the instances found whose number is unknown. Of
 * names, every one is counted: versions newest first, others the most common first; the last key, null, counts the instances without one.
 */
export interface Browsed
  extends Readonly<Record<Minimum, Counted<number | null>>>,
    Readonly<Record<Name, Counted<string | null>>> {
  /** In the chosen order. */
  readonly instances: readonly ListedInstance[];
  readonly registration: Counted<FilterValues['registration']>;
  readonly standing: Counted<FilterValues['standing']>;
  readonly feature: Counted<NonNullable<FilterValues['features']>[number]>;
  /** Number of instances found that don't report on any feature. */
  readonly featuresUnknown: number;
  readonly status: Counted<FilterValues['status']>;
  /** Each filter of the choice, with the number of instances found without it. */
  readonly without: readonly { readonly filter: Filter; readonly count: number }[];
}

/** Applies a choice, and counts what it would find with one filter changed, added or removed. Takes a few milliseconds for 10,000 instances. */
export function browse(snapshot: Snapshot, choice: Choice): Browsed {
  const filterValues = filterValuesOf(snapshot);
  const conditions = filtersOf(choice).map((filter) => ({ filter, holds: conditionOf(filter), excluded: 0 }));
  const counts = {
    registration: new Map<FilterValues['registration'], number>(),
    standing: new Map<FilterValues['standing'], number>(),
    version: new Map<string | null, number>(),
    country: new Map<string | null, number>(),
    network: new Map<string | null, number>(),
    status: new Map<FilterValues['status'], number>(),
  };
  const reached = byMinimum((key) => new Map<number | null, number>([...STEPS[key], null].map((step) => [step, 0])));
  const addSteps = (key: Minimum, value: number | null) => {
    for (const step of STEPS[key]) if (value !== null && value >= step) add(reached[key], step);
  };
  const keys = Object.keys(counts) as (keyof typeof counts)[];
  const feature = new Map(FEATURES.map(({ key }) => [key, 0]));
  let featuresUnknown = 0;
  const found: ListedInstance[] = [];
  for (const instance of inOrder(snapshot, choice.order)) {
    const values = filterValues.get(instance);
    if (values === undefined) continue;
    let failed: (typeof conditions)[number] | null = null;
    let failures = 0;
    for (const condition of conditions) {
      if (condition.holds(instance, values)) continue;
      failed = condition;
      failures += 1;
    }
    if (failures > 1) continue;
    if (failed !== null) {
      // The instance would be found without this filter, or if the filter had the value of the instance.
      failed.excluded += 1;
      const { key } = failed.filter;
      if (isMinimum(key)) addSteps(key, values[key]);
      else if (key in counts)
        add(counts[key as keyof typeof counts] as Map<unknown, number>, values[key as keyof typeof counts]);
      continue;
    }
    found.push(instance);
    for (const key of keys) add(counts[key] as Map<unknown, number>, values[key]);
    for (const name of values.features ?? []) add(feature, name);
    if (values.features === null) featuresUnknown += 1;
    for (const key of MINIMUMS) {
      addSteps(key, values[key]);
      if (values[key] === null) add(reached[key], null);
    }
  }
  return {
    ...{ instances: found, ...counts, ...reached, feature, featuresUnknown },
    ...byName((name) => new Map(namesIn(snapshot)[name].map((value) => [value, counts[name].get(value) ?? 0]))),
    without: conditions.map(({ filter, excluded }) => ({ filter, count: found.length + excluded })),
  };
}

function add<Value>(counts: Map<Value, number>, value: Value): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function conditionOf(filter: Filter): (instance: ListedInstance, filterValues: FilterValues) => boolean {
  const { key, value } = filter;
  if (key === 'q') {
    const wanted = toSearchText(value);
    return ({ searchText }) => searchText.includes(wanted);
  }
  if (key === 'feature') return (_instance, { features }) => features?.includes(value) ?? false;
  if (isMinimum(key)) return (_instance, { [key]: number }) => number !== null && number >= Number(value);
  return (_instance, filterValues) => filterValues[key] === value;
}

function isMinimum(key: string): key is Minimum {
  return key in STEPS;
}

const NUMBERS = {
  uptime: ({ uptime }: ListedInstance['entry']) => uptime.month,
  size: ({ limits }: ListedInstance['entry']) => limits.maxVideoSizeMB,
  length: ({ limits }: ListedInstance['entry']) => limits.maxVideoDurationSeconds,
  growth: ({ growth }: ListedInstance['entry']) => growth,
};

const SORTS: Readonly<Record<Exclude<Order, 'fair' | 'name' | keyof typeof NUMBERS>, Sort>> = {
  newest: '-firstSeen',
  oldest: 'firstSeen',
  version: '-version',
  users: '-users',
  posts: '-posts',
};

function inOrder(snapshot: Snapshot, order: Order): readonly ListedInstance[] {
  switch (order) {
    case 'fair':
      return fairOrder(snapshot);
    case 'name':
      return snapshot.orders('domain');
    case 'uptime':
    case 'size':
    case 'length':
    case 'growth':
      return byNumber(snapshot, order);
    default:
      return snapshot.orders(SORTS[order]);
  }
}

const numberOrders = new WeakMap<Snapshot, Map<keyof typeof NUMBERS, readonly ListedInstance[]>>();

/** The highest number first, unknown ones last. Instances with equal numbers are in fair order. */
function byNumber(snapshot: Snapshot, key: keyof typeof NUMBERS): readonly ListedInstance[] {
  const orders = numberOrders.get(snapshot) ?? new Map<keyof typeof NUMBERS, readonly ListedInstance[]>();
  numberOrders.set(snapshot, orders);
  let order = orders.get(key);
  if (order === undefined) {
    const number = ({ entry }: ListedInstance) => NUMBERS[key](entry) ?? Number.NEGATIVE_INFINITY;
    order = fairOrder(snapshot).toSorted((one, other) => compareNumbers(number(other), number(one)));
    orders.set(key, order);
  }
  return order;
}

type Names = Readonly<Record<Name, readonly (string | null)[]>>;
const nameLists = new WeakMap<Snapshot, Names>();

/** Every name. Semantic versions are newest first, before other versions; countries and networks are the most common first; null is last. */
function namesIn(snapshot: Snapshot): Names {
  let names = nameLists.get(snapshot);
  if (names === undefined) {
    names = byName((name) => {
      if (name === 'version') return distinct(snapshot.orders('-version').map(({ entry }) => entry.version));
      const counts = new Map<string | null, number>();
      for (const { entry } of snapshot.instances) add(counts, entry.hosting[name]);
      const sorted = [...counts].sort(
        ([one, countOfOne], [other, countOfOther]) =>
          countOfOther - countOfOne || (String(one) < String(other) ? -1 : 1),
      );
      return distinct(sorted.map(([value]) => value));
    });
    nameLists.set(snapshot, names);
  }
  return names;
}

function distinct(values: readonly (string | null)[]): (string | null)[] {
  const all = new Set(values);
  all.delete(null);
  return [...all, null];
}

function byName<Value>(make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<Name, Value>;
}

/** Unlike a difference, right for two infinities. */
function compareNumbers(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
