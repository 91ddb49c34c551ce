import type { ChangedField, FactChange } from '../change.ts';
import type { FactValue } from '../facts/fact-value.ts';

/** The facts of a domain that name another. */
const NAMING: ReadonlySet<ChangedField> = new Set<ChangedField>(['aliasOf', 'pointsTo']);

/** A change with null in the place of every domain that it names and of which nothing may be published. */
export function withholdNamed<Told extends Pick<FactChange, 'field' | 'from' | 'to'>>(
  change: Told,
  isWithheld: (domain: string) => boolean,
): Told {
  if (!NAMING.has(change.field)) return change;
  const told = (value: FactValue): FactValue => (typeof value === 'string' && isWithheld(value) ? null : value);
  return { ...change, from: told(change.from), to: told(change.to) };
}
