import { isDeepStrictEqual } from 'node:util';
import type { Domain } from './domain/domain.ts';
import { WITHHELD_NAME } from './domain/withheld-name.ts';
import { LENGTHS } from './identify/lengths.ts';
import type { FieldNote, InstanceFacts } from './record/instance.ts';
import type { Visit } from './record/visit.ts';

/** Null: it was, or would become, unknown. */
export type ReplayedValue = string | number | boolean | null | readonly string[] | readonly FieldNote[] | InstanceFacts;

/** One thing that today's parsers read differently. */
export interface ReplayDifference {
  domain: Domain;
  visitId: number;
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
  /**
   * `verdict`, `reason`, `via`, `software`, `version`, `aliasOf`, the path of a fact (`limits.maxBioLength`), `facts` where there
   * would be all or none of them, or `pointsTo`.
   */
  field: string;
  from: ReplayedValue;
  to: ReplayedValue;
}

/** What a visit says of its host. */
export type Said = Pick<Visit, 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf' | 'facts'>;

const FIELDS = ['verdict', 'reason', 'via', 'software', 'version', 'aliasOf'] as const;

/** What is not the same, in the order of the fields; the facts one by one where both have them. */
export function differencesOf(before: Said, after: Said): Pick<ReplayDifference, 'field' | 'from' | 'to'>[] {
  const pairs: [field: string, from: ReplayedValue, to: ReplayedValue][] = [];
  for (const field of FIELDS) pairs.push([field, before[field], after[field]]);
  if (before.facts !== null && after.facts !== null) {
    const from = leavesOf(before.facts);
    const to = leavesOf(after.facts);
    for (const [field, value] of Object.entries(to)) pairs.push([field, from[field] ?? null, value]);
  } else pairs.push(['facts', before.facts, after.facts]);
  return pairs.flatMap(([field, from, to]) =>
    from === to || isDeepStrictEqual(from, to) || isCutElsewhere(field, from, to) ? [] : [{ field, from, to }],
  );
}

/** Of texts that may be long, at how many characters they are cut; of a note, what it cites of a value. */
const CUT_AT: Readonly<Record<string, number>> = {
  name: LENGTHS.name,
  description: LENGTHS.description,
  software: LENGTHS.software,
  version: LENGTHS.version,
  notes: LENGTHS.cited,
};

/**
 * Whether two values differ only in where their texts were cut: before names were withheld in the one, which are shorter or longer than
 * what stands in their place, and after that in the other.
 */
function isCutElsewhere(field: string, from: ReplayedValue, to: ReplayedValue): boolean {
  const cutAt = CUT_AT[field];
  const [before, after] = [textsOf(from), textsOf(to)];
  if (cutAt === undefined || before.length !== after.length) return false;
  return after.every((text, index) => text === before[index] || isSameBeforeCut(before[index] ?? '', text, cutAt));
}

/** What one says beyond the other is the rest of it, or begins within the word at which one was cut. */
function isSameBeforeCut(from: string, to: string, cutAt: number): boolean {
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  const isLong = Math.max(from.length, to.length) > cutAt / 2;
  const hasCutWord = [from, to].some((text) => !/\s/.test(text.slice(shared).trimEnd()));
  return isLong && hasCutWord && to.includes(WITHHELD_NAME);
}

function textsOf(value: ReplayedValue): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value)
    ? value.map((item) => (typeof item === 'string' ? item : `${item.field}: ${item.problem}`))
    : [];
}

/** The facts by their paths, but for software and version, which the visit says itself, and the time of the counts. */
function leavesOf({ software: _, version: __, usage, flags, ...facts }: InstanceFacts): Record<string, ReplayedValue> {
  const { asOf: ___, ...counts } = usage;
  return {
    name: facts.name,
    description: facts.description,
    ...under('registration', facts.registration),
    federation: facts.federation,
    ...under('features', facts.features),
    gifProviderBrand: facts.gifProviderBrand,
    ...under('limits', facts.limits),
    ...under('usage', counts),
    // A set: the order in which flags were found says nothing.
    flags: [...flags].sort(),
    notes: facts.notes,
  };
}

function under(parent: string, leaves: Readonly<Record<string, ReplayedValue>>): Record<string, ReplayedValue> {
  return Object.fromEntries(Object.entries(leaves).map(([key, value]) => [`${parent}.${key}`, value]));
}
