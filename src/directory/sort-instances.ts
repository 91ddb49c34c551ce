import semver, { type SemVer } from 'semver';
import { z } from 'zod';
import { byKey, COUNTS } from '../model/facts/fact-leaves.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';

const SortKey = z.enum(['domain', 'version', ...COUNTS.map(({ key }) => key), 'firstSeen', 'lastSeen', 'checkedAt']);
type SortKey = z.infer<typeof SortKey>;

/** A sort key; a leading `-` puts the largest first. */
export const Sort = z.enum(SortKey.options.flatMap((key) => [key, `-${key}`] as const));
export type Sort = z.infer<typeof Sort>;

/** Counts of an instance; null is unknown. */
export type Counts = Omit<InstanceEntry['usage'], 'asOf'>;

interface Sortable {
  readonly entry: Pick<InstanceEntry, 'domain' | 'firstSeen' | 'lastSeen' | 'checkedAt'>;
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
export function comparatorOf(sort: Sort): (one: Sortable, other: Sortable) => number {
  const isDescending = sort.startsWith('-');
  const value = valueGetterOf(sort);
  return (one, other) => {
    const order = compare(value(one), value(other), isDescending);
    return order === 0 ? compareDomains(one, other) : order;
  };
}

/** The values that determine the position of an instance in any order. They replace the instance, which may be gone when the next page is requested. */
export const SortPosition = z.object({
  entry: z.object({
    domain: z.string(),
    firstSeen: z.string(),
    lastSeen: z.string().nullable(),
    checkedAt: z.string(),
  }),
  counts: z.object(byKey(COUNTS, () => z.number().nullable())),
  version: z.string().max(256).nullable(),
});
type SortPosition = z.infer<typeof SortPosition>;

export function positionOf({ entry, counts, version }: Sortable): SortPosition {
  const { domain, firstSeen, lastSeen, checkedAt } = entry;
  return {
    entry: { domain, firstSeen, lastSeen, checkedAt },
    counts: byKey(COUNTS, ({ key }) => counts[key]),
    version: version?.version ?? null,
  };
}

/** A predicate for instances after a position. */
export function afterPosition(
  { entry, counts, version }: SortPosition,
  order: ReturnType<typeof comparatorOf>,
): (instance: Sortable) => boolean {
  const position: Sortable = { entry, counts, version: version === null ? null : semver.parse(version) };
  return (instance) => order(instance, position) > 0;
}

function compare(one: Value, other: Value, isDescending: boolean): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  const order = isVersion(one) && isVersion(other) ? one.compare(other) : one === other ? 0 : one < other ? -1 : 1;
  return isDescending ? -order : order;
}

function isVersion(value: Value): value is SemVer {
  return typeof value === 'object' && value !== null;
}

function compareDomains({ entry: one }: Sortable, { entry: other }: Sortable): number {
  return one.domain === other.domain ? 0 : one.domain < other.domain ? -1 : 1;
}
