import type { Selectable } from 'kysely';
import type { Change } from '../../model/change.ts';
import { FactValue } from '../../model/facts/fact-value.ts';
import type { ChangesTable } from '../schema/changes-table.ts';

type ChangeColumn = 'at' | 'field' | 'from_value' | 'to_value' | 'why' | 'cause';

/** The columns of `changes` that hold a Change. */
export const changeColumns = [
  'changes.at',
  'changes.field',
  'changes.from_value',
  'changes.to_value',
  'changes.why',
  'changes.cause',
] as const satisfies readonly `changes.${ChangeColumn}`[];

export function toChange(row: Pick<Selectable<ChangesTable>, ChangeColumn>): Change {
  return {
    at: row.at,
    field: row.field,
    from: toFactValue(row.from_value),
    to: toFactValue(row.to_value),
    why: row.why,
    cause: row.cause,
  };
}

/** A value as a column of `changes`. */
export function toFactColumn(value: FactValue): string | null {
  return value === null ? null : JSON.stringify(value);
}

function toFactValue(json: string | null): FactValue {
  return json === null ? null : FactValue.parse(JSON.parse(json));
}
