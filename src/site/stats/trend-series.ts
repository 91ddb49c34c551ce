import semver from 'semver';
import { dayOfIso, startOfPeriod } from '../../directory/periods.ts';
import type { TrendPoint, Trends } from '../../directory/trends.ts';
import { DAY_MS } from '../../model/time.ts';
import type { Layer } from '../charts/stacked-chart.ts';
import type { Bucket } from '../charts/time-plot.ts';

/** The period that ends with a point. */
export function bucketOf({ date }: TrendPoint, step: Trends['step'], label: string): Bucket {
  const from = startOfPeriod(dayOfIso(date), step) * DAY_MS;
  return { from, until: Date.parse(date) + DAY_MS, label };
}

/** Reads the value of one key, as in `stats.csv`. */
export function valueByKey(key: string): (point: TrendPoint) => number | null {
  return ({ values }) => values.get(key) ?? null;
}

/** The values of one key over time. */
export function valuesOf(points: readonly TrendPoint[], key: string | null): (number | null)[] {
  return points.map(({ values }) => values.get(key) ?? null);
}

/** The number of instances that do not report the measure, over time. */
export function unknownOf(points: readonly TrendPoint[]): number[] {
  return points.map(({ reporting, total }) => total - reporting);
}

/** Names with a layer of their own; the style sheet has a colour for each. */
const MAX_LAYERS = 7;

/**
 * One layer for each of the names that reached the largest numbers of instances, the largest first, then one for all other names and one for
 * unknown ones.
 *
 * @param compare the order of the names, if not by size.
 */
export function nameLayers(
  points: readonly TrendPoint[],
  words: { other: string; unknown: string },
  compare?: (one: string, other: string) => number,
): Layer[] {
  const largest = new Map<string, number>();
  for (const { values } of points) {
    for (const [key, value] of values) {
      if (key !== null) largest.set(key, Math.max(largest.get(key) ?? 0, value ?? 0));
    }
  }
  const ranked = [...largest].sort(
    ([one, countOfOne], [other, countOfOther]) => countOfOther - countOfOne || (one < other ? -1 : 1),
  );
  const names = ranked.slice(0, MAX_LAYERS).map(([name]) => name);
  if (compare !== undefined) names.sort(compare);
  const layers = names.map(
    (name): Layer => ({
      name: shortened(name),
      kind: 'value',
      values: points.map(({ values }) => values.get(name) ?? 0),
    }),
  );
  const others = points.map(({ reporting }, index) => reporting - sumAt(layers, index));
  const unknown = unknownOf(points);
  return [
    ...layers,
    ...(others.some((value) => value > 0) ? [{ name: words.other, kind: 'other', values: others } as const] : []),
    ...(unknown.some((value) => value > 0) ? [{ name: words.unknown, kind: 'unknown', values: unknown } as const] : []),
  ];
}

/** Longer versions are cut: the name of a layer is repeated all over its chart. */
const MAX_NAME_LENGTH = 24;

function shortened(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${[...name].slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

function sumAt(layers: readonly Layer[], index: number): number {
  return layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
}

/** Orders versions, the oldest first; those that are not semantic versions come before all others. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [semver.parse(one, { loose: true }), semver.parse(other, { loose: true })];
  if (left !== null && right !== null) return left.compare(right);
  if (left === null && right === null) return one < other ? -1 : 1;
  return left === null ? -1 : 1;
}

/** The last point of each month, or of each day in a short history; newest first. */
export function tablePoints({ step }: Pick<Trends, 'step'>, points: readonly TrendPoint[]): TrendPoint[] {
  const lastByPeriod = new Map(points.map((point) => [step === 'day' ? point.date : point.date.slice(0, 7), point]));
  return [...lastByPeriod.values()].reverse();
}
