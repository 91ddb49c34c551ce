import { sql } from 'kysely';
import type { ReschedulesTable } from '../schema/reschedules-table.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { LAST_VISIT_ID } from './last-visit-id.ts';

type Reschedule = Pick<ReschedulesTable, 'at' | 'cause'> & { id: number };

/** Logs the state and the next visit of a domain that something other than a visit changed. Runs inside the caller's transaction, after the change. */
export type KeepReschedule = (reschedule: Reschedule) => void;

export function createRescheduleKeeper(sqlite: Sqlite, db: Compiler): KeepReschedule {
  const insert = prepare(sqlite, (value: Placeholder<Reschedule>) =>
    db
      .insertInto('reschedules')
      .columns(['domain_id', 'at', 'cause', 'after_visit_id', 'state', 'next_visit'])
      .expression(
        db
          .selectFrom('domains')
          .select([
            'id',
            sql<number>`cast(${value('at')} as integer)`.as('at'),
            sql<ReschedulesTable['cause']>`cast(${value('cause')} as text)`.as('cause'),
            sql<number>`(${sql.raw(LAST_VISIT_ID)})`.as('after_visit_id'),
            'state',
            'next_visit',
          ])
          .where('id', '=', value('id')),
      ),
  );
  return (reschedule) => {
    insert.run(reschedule);
  };
}
