import semver, { type SemVer } from 'semver';
import { z } from 'zod';
import { byKey, COUNTS, LIMITS } from '../model/facts/fact-leaves.ts';
import type { Counts } from './measures.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';

const SortKey = z.enum([
  ...(['domain', 'version'] as const),
  ...[...COUNTS, ...LIMITS].map(({ key }) => key),
  ...(['growth', 'firstSeen', 'lastSeen', 'checkedAt'] as const),
]);
type SortKey = z.infer<typeof SortKey>;

/** A sort key; a leading `-` puts the largest first. */
export const Sort = z.enum(SortKey.options.flatMap((key) => [key, `-${key}`] as const));
export type Sort = z.infer<typeof Sort>;

interface Sortable {
  readonly entry: Pick<InstanceEntry, 'domain' | 'limits' | 'growth' | 'firstSeen' | 'lastSeen' | 'checkedAt'>;
  /** All null when they are implausible. */
  readonly counts: Counts;
  readonly version: SemVer | null;
}

type Value = string | number | SemVer | null;

/** The value of an instance by each sort key. Null is unknown, and comes last in both directions. */
const VALUES: Readonly<Record<SortKey, (instance: Sortable) => Value>> = {
  domain: ({ entry }) => entry.domain,
  version: ({ version }) => version,
  ...byKey(
    COUNTS,
    ({ key }) =>
      ({ counts }) =>
        counts[key],
  ),
  ...byKey(
    LIMITS,
    ({ key }) =>
      ({ entry }) =>
        entry.limits[key],
  ),
  growth: ({ entry }) => entry.growth,
  firstSeen: ({ entry }) => entry.firstSeen,
  lastSeen: ({ entry }) => entry.lastSeen,
  checkedAt: ({ entry }) => entry.checkedAt,
};

/** The instances in each order, sorted on first use. */
export type Orders<Instance> = (sort: Sort) => readonly Instance[];

/** @param instances sorted by domain. */
export function createOrders<Instance extends Sortable>(instances: readonly Instance[]): Orders<Instance> {
  const sorted = new Map<Sort, readonly Instance[]>();
  return (sort) => {
    const known = sorted.get(sort);
    if (known !== undefined) return known;
    const result = sortInstances(instances, sort);
    sorted.set(sort, result);
    return result;
  };
}

/** Compares only distinct values: comparing versions is slow, and thousands of instances run the same one. */
function sortInstances<Instance extends Sortable>(instances: readonly Instance[], sort: Sort): readonly Instance[] {
  const groups = new Map<string | number | null, [Instance, ...Instance[]]>();
  const value = valueGetterOf(sort);
  for (const instance of instances) {
    const own = value(instance);
    const key = isVersion(own) ? own.version : own;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [instance]);
    else group.push(instance);
  }
  const order = comparatorOf(sort);
  return [...groups.values()].sort(([one], [other]) => order(one, other)).flat();
}

function valueGetterOf(sort: Sort): (instance: Sortable) => Value {
  return VALUES[(sort.startsWith('-') ? sort.slice(1) : sort) as SortKey];
}

/** Instances with equal keys are sorted by domain, so every order is total. */
function comparatorOf(sort: Sort): (one: Sortable, other: Sortable) => number {
  const isDescending = sort.startsWith('-');
  const value = valueGetterOf(sort);
  return (one, other) => compare(value(one), value(other), isDescending) || compareDomains(one.entry, other.entry);
}

/** The place of an instance in an order. It replaces the instance, which may be gone when the next page is requested. */
export const SortPosition = z.object({
  domain: z.string(),
  value: z.union([z.string().max(300), z.number()]).nullable(),
});
type SortPosition = z.infer<typeof SortPosition>;

export function positionOf(instance: Sortable, sort: Sort): SortPosition {
  const value = valueGetterOf(sort)(instance);
  return { domain: instance.entry.domain, value: isVersion(value) ? value.version : value };
}

/** A predicate for instances after a position in the same order. */
export function afterPosition({ domain, value }: SortPosition, sort: Sort): (instance: Sortable) => boolean {
  const isDescending = sort.startsWith('-');
  const own = valueGetterOf(sort);
  const position = sort.endsWith('version') && typeof value === 'string' ? semver.parse(value) : value;
  return (instance) =>
    (compare(own(instance), position, isDescending) || compareDomains(instance.entry, { domain })) > 0;
}

function compare(one: Value, other: Value, isDescending: boolean): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  const order = isVersion(one) && isVersion(other) ? one.compare(other) : one === other ? 0 : one < other ? -1 : 1;
  return isDescending ? -order : order;
}

function isVersion(value: Value): value is SemVer {
  return typeof value === 'object' && value !== null;
}

function compareDomains(one: { domain: string }, other: { domain: string }): number {
  return one.domain === other.domain ? 0 : one.domain < other.domain ? -1 : 1;
}
