import semver from 'semver';
import type { InstanceFlag } from '../model/facts/instance-facts.ts';
import type { EpochMs } from '../model/time.ts';
import { MEASURES } from './measures.ts';
import type { InstanceEntry } from './schema/instance-entry.ts';
import { type ListedInstance, toSearchText } from './snapshot.ts';

type RangeBound = `${(typeof MEASURES)[number]['key']}.${'min' | 'max'}`;

/** Conditions that an instance must meet; all must hold. */
export interface InstanceSelection extends Partial<Record<RangeBound, number | undefined>> {
  /** Text that the domain or the name contains, in upper or lower case. */
  readonly q?: string | undefined;
  /** A country by its code, or `unknown`. */
  readonly country?: string | undefined;
  /** A network by its AS number or its name, or `unknown`. */
  readonly network?: string | undefined;
  /** A semver range. */
  readonly version?: string | undefined;
  /** Whether registration is open. */
  readonly open?: 'true' | 'false' | 'unknown' | undefined;
  /** Features that are all offered. */
  readonly feature?: readonly (keyof InstanceEntry['features'])[] | undefined;
  readonly status?: InstanceEntry['status'] | undefined;
  readonly joinable?: 'true' | 'false' | undefined;
  /** Flags that are all set. */
  readonly flag?: readonly InstanceFlag[] | undefined;
  /** Flags that are all unset. */
  readonly withoutFlag?: readonly InstanceFlag[] | undefined;
}

type Condition = (instance: ListedInstance) => boolean;

/** A predicate for a selection. An unknown value meets no condition except `unknown`; implausible counts are unknown. @param at for ages. */
export function conditionOf(query: InstanceSelection, at: EpochMs): Condition {
  const conditions = [...conditionsOf(query, at)];
  return (instance) => conditions.every((holds) => holds(instance));
}

function* conditionsOf(query: InstanceSelection, at: EpochMs): Iterable<Condition> {
  const { q, version, country, network, open, feature, status, joinable, flag, withoutFlag } = query;
  if (q !== undefined) yield contains(q);
  if (version !== undefined) yield inRange(version);
  if (country !== undefined) yield inCountry(country);
  if (network !== undefined) yield inNetwork(network);
  if (open !== undefined) {
    const wanted = { true: true, false: false, unknown: null }[open];
    yield ({ entry }) => entry.registration.open === wanted;
  }
  if (feature !== undefined) yield ({ entry }) => feature.every((name) => entry.features[name] === true);
  if (status !== undefined) yield ({ entry }) => entry.status === status;
  if (joinable !== undefined) yield ({ entry }) => String(entry.joinable) === joinable;
  if (flag !== undefined) yield ({ entry }) => flag.every((name) => entry.flags.includes(name));
  if (withoutFlag !== undefined) yield ({ entry }) => !withoutFlag.some((name) => entry.flags.includes(name));
  for (const { key, get } of MEASURES) {
    const { [`${key}.min` as const]: min, [`${key}.max` as const]: max } = query;
    if (min !== undefined || max !== undefined)
      yield within((instance) => get(instance, at), min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY);
  }
}

function contains(text: string): Condition {
  const wanted = toSearchText(text);
  return ({ searchText }) => searchText.includes(wanted);
}

function within(get: (instance: ListedInstance) => number | null, min: number, max: number): Condition {
  return (instance) => {
    const value = get(instance);
    return value !== null && value >= min && value <= max;
  };
}

/** The value of a filter that selects what is not known. */
const UNKNOWN = 'unknown';

function inCountry(code: string): Condition {
  const wanted = code === UNKNOWN ? null : code.toUpperCase();
  return ({ entry }) => entry.hosting.country === wanted;
}

function inNetwork(text: string): Condition {
  if (text === UNKNOWN) return ({ entry: { hosting } }) => hosting.asn === null && hosting.network === null;
  const [, number] = /^(?:AS)?(\d+)$/i.exec(text) ?? [];
  if (number !== undefined) return ({ entry }) => entry.hosting.asn === Number(number);
  const wanted = toSearchText(text);
  return ({ entry: { hosting } }) => hosting.network !== null && toSearchText(hosting.network) === wanted;
}

/** Tests each version once: thousands of instances run a handful of versions. */
function inRange(text: string): Condition {
  const range = new semver.Range(text, { loose: true, includePrerelease: true });
  const cache = new Map<string, boolean>();
  return ({ version }) => {
    if (version === null) return false;
    const known = cache.get(version.version);
    if (known !== undefined) return known;
    const isInRange = range.test(version);
    cache.set(version.version, isInRange);
    return isInRange;
  };
}
