import { WITHHELD_NAME } from '../domain/withheld-name.ts';
import type { FactValue } from './facts/fact-value.ts';
import type { FieldNote, InstanceFacts } from './facts/instance-facts.ts';
import { LENGTHS } from './text-lengths.ts';

/** Of texts that may be long, at how many characters they are cut; of a note, what it cites of a value. */
const CUT_AT: Readonly<Record<string, number>> = {
  name: LENGTHS.name,
  description: LENGTHS.description,
  software: LENGTHS.software,
  version: LENGTHS.version,
  notes: LENGTHS.cited,
};

type Value = FactValue | readonly (string | FieldNote)[] | InstanceFacts;

/**
 * Whether two values differ only in where their texts were cut: before names were withheld in the one, which are shorter or longer than
 * what stands in their place, and after that in the other.
 */
export function isCutElsewhere(field: string, from: Value, to: Value): boolean {
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

function textsOf(value: Value): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value.map((item: string | FieldNote) => (typeof item === 'string' ? item : `${item.field}: ${item.problem}`));
}
