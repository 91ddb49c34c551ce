import type { Insertable, Selectable } from 'kysely';
import type { Change, ChangeCause, FactChange } from '../../model/change.ts';
import { FactValue } from '../../model/facts/fact-value.ts';
import type { ChangesTable } from '../schema/tables.ts';
import { Rows } from '../sqlite/database.ts';
import { type QueryParameter, queryParameters } from '../sqlite/prepare.ts';

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

/** Converts a value for a column of `changes`. */
function toFactColumn(value: FactValue): string | null {
  return value === null ? null : JSON.stringify(value);
}

function toFactValue(json: string | null): FactValue {
  return json === null ? null : FactValue.parse(JSON.parse(json));
}

type NewChange = Required<Omit<Insertable<ChangesTable>, 'id'>>;

const columns = [
  'domain_id',
  'at',
  'field',
  'from_value',
  'to_value',
  'why',
  'cause',
  'visit_id',
] as const satisfies readonly (keyof NewChange)[];

/** The domain, visit and cause of changes. */
export interface ChangeOrigin {
  domainId: number;
  /** Epoch milliseconds. */
  at: number;
  cause: ChangeCause;
  visitId: number | null;
}

/** The log of changes. */
export class ChangeLog extends Rows {
  readonly #insert = this.database.prepare((db, parameter: QueryParameter<NewChange>) =>
    db.insertInto('changes').values(queryParameters(parameter, columns)),
  );

  /** Records changes of one domain. Runs inside the caller's transaction. */
  add(changes: readonly FactChange[], { domainId, at, cause, visitId }: ChangeOrigin): void {
    for (const { field, from, to, why } of changes) {
      this.#insert.run({
        domain_id: domainId,
        at,
        field,
        from_value: toFactColumn(from),
        to_value: toFactColumn(to),
        why,
        cause,
        visit_id: visitId,
      });
    }
  }
}
