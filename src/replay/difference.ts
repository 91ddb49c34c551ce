import { isDeepStrictEqual } from 'node:util';
import type { Domain } from '../model/domain/domain.ts';
import type { FieldNote, InstanceFacts } from '../model/facts/instance-facts.ts';
import type { Correction } from '../store/store.ts';

/** A recorded or recomputed value; null when unknown. */
export type ReplayedValue = string | number | boolean | null | readonly string[] | readonly FieldNote[] | InstanceFacts;

/** A value that today's parsers read differently. */
export interface ReplayDifference {
  domain: Domain;
  visitId: number;
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
  /**
   * `verdict`, `reason`, `via`, `software`, `version`, `aliasOf`, `pointsTo`, the path of a fact (`limits.maxBioLength`), or `facts`
   * when all facts would appear or disappear.
   */
  field: string;
  from: ReplayedValue;
  to: ReplayedValue;
}

/** The recorded or recomputed result of a visit. */
export type VisitResult = Correction['visit'];

const FIELDS = ['verdict', 'reason', 'via', 'software', 'version', 'aliasOf'] as const;

/** The fields that differ, in a fixed order. Facts are compared one by one if both results have them, otherwise as a whole. */
export function differencesOf(
  before: VisitResult,
  after: VisitResult,
): Pick<ReplayDifference, 'field' | 'from' | 'to'>[] {
  const pairs: [field: string, from: ReplayedValue, to: ReplayedValue][] = [];
  for (const field of FIELDS) pairs.push([field, before[field], after[field]]);
  // `pointsTo` is the published name.
  pairs.push(['pointsTo', before.canonicalHost, after.canonicalHost]);
  if (before.facts !== null && after.facts !== null) {
    const from = leavesOf(before.facts);
    const to = leavesOf(after.facts);
    for (const [field, value] of Object.entries(to)) pairs.push([field, from[field] ?? null, value]);
  } else pairs.push(['facts', before.facts, after.facts]);
  return pairs.flatMap(([field, from, to]) =>
    from === to || isDeepStrictEqual(from, to) ? [] : [{ field, from, to }],
  );
}

/** The facts by path. Software and version are left out because they are fields of the visit; the time of the counts is not compared. */
function leavesOf({ software: _, version: __, usage, flags, ...facts }: InstanceFacts): Record<string, ReplayedValue> {
  const { asOf: ___, ...counts } = usage;
  return {
    name: facts.name,
    description: facts.description,
    ...withPrefix('registration', facts.registration),
    federation: facts.federation,
    ...withPrefix('features', facts.features),
    gifProviderBrand: facts.gifProviderBrand,
    ...withPrefix('limits', facts.limits),
    ...withPrefix('usage', counts),
    // A set: the order of flags has no meaning.
    flags: [...flags].sort(),
    notes: facts.notes,
  };
}

function withPrefix(parent: string, leaves: Readonly<Record<string, ReplayedValue>>): Record<string, ReplayedValue> {
  return Object.fromEntries(Object.entries(leaves).map(([key, value]) => [`${parent}.${key}`, value]));
}
