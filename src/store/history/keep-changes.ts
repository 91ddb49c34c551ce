import type { Insertable } from 'kysely';
import type { ChangeCause, FactChange } from '../../model/change.ts';
import type { ChangesTable } from '../schema/changes-table.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { placeholders } from '../sqlite/placeholders.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { toFactColumn } from './change-row.ts';

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

/** Where and why changes happened. */
export interface ChangeOrigin {
  domainId: number;
  /** Epoch milliseconds. */
  at: number;
  cause: ChangeCause;
  visitId: number | null;
}

/** Records changes of one domain. Runs inside the caller's transaction. */
export type KeepChanges = (changes: readonly FactChange[], origin: ChangeOrigin) => void;

export function createChangeKeeper(sqlite: Sqlite, db: Compiler): KeepChanges {
  const insert = prepare(sqlite, (value: Placeholder<NewChange>) =>
    db.insertInto('changes').values(placeholders(value, columns)),
  );
  return (changes, { domainId, at, cause, visitId }) => {
    for (const { field, from, to, why } of changes) {
      insert.run({
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
  };
}
