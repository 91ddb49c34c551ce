import semver from 'semver';
import { type InstancesQuery, NUMBERS } from '../query/instances-query.ts';
import type { ListedInstance } from './snapshot.ts';

type Condition = (instance: ListedInstance) => boolean;

/** Whether an instance is what a query asks for. What is unknown is neither true nor false, and neither large nor small. */
export function conditionOf(query: InstancesQuery): Condition {
  const conditions = [...conditionsOf(query)];
  return (instance) => conditions.every((holds) => holds(instance));
}

function* conditionsOf(query: InstancesQuery): Iterable<Condition> {
  const { version, open, feature, status, flag, withoutFlag } = query;
  if (version !== undefined) yield inRange(version);
  if (open !== undefined) {
    const wanted = { true: true, false: false, unknown: null }[open];
    yield ({ entry }) => entry.registration.open === wanted;
  }
  if (feature !== undefined) yield ({ entry }) => feature.every((name) => entry.features[name] === true);
  if (status !== undefined) yield ({ entry }) => entry.status === status;
  if (flag !== undefined) yield ({ entry }) => flag.every((name) => entry.flags.includes(name));
  if (withoutFlag !== undefined) yield ({ entry }) => !withoutFlag.some((name) => entry.flags.includes(name));
  for (const name of Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]) {
    const { [`${name}.min` as const]: min, [`${name}.max` as const]: max } = query;
    if (min !== undefined || max !== undefined) yield within(NUMBERS[name], min ?? 0, max ?? Number.POSITIVE_INFINITY);
  }
}

function within(read: (typeof NUMBERS)[keyof typeof NUMBERS], min: number, max: number): Condition {
  return ({ entry }) => {
    const value = read(entry);
    return value !== null && value >= min && value <= max;
  };
}

/** Each version is judged once: thousands of instances run a handful. */
function inRange(text: string): Condition {
  const range = new semver.Range(text, { loose: true, includePrerelease: true });
  const judged = new Map<string, boolean>();
  return ({ version }) => {
    if (version === null) return false;
    const known = judged.get(version.version);
    if (known !== undefined) return known;
    const isIn = range.test(version);
    judged.set(version.version, isIn);
    return isIn;
  };
}
