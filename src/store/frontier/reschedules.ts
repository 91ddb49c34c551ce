import { sql } from 'kysely';
import type { ReschedulesTable } from '../schema/database.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** For a table with AUTOINCREMENT, `sqlite_sequence` holds the largest id ever given, also to rows deleted since. */
const LAST_VISIT_ID = `select ifnull(max(seq), 0) from sqlite_sequence where name = 'visits'`;

/** Reads the largest id ever given to a visit; 0 when there was none. */
export function createLastVisitIdReader(sqlite: Sqlite): () => number {
  const read = sqlite.prepare<[], number>(LAST_VISIT_ID).pluck();
  return () => read.get() ?? 0;
}

type Reschedule = Pick<ReschedulesTable, 'at' | 'cause'> & { id: number };

/** Logs a change of a domain's state or next visit that no visit made. Runs inside the caller's transaction, after the change. */
export type WriteReschedule = (reschedule: Reschedule) => void;

export function createRescheduleWriter(sqlite: Sqlite, db: Compiler): WriteReschedule {
  const insert = prepare(sqlite, (parameter: QueryParameter<Reschedule>) =>
    db
      .insertInto('reschedules')
      .columns(['domain_id', 'at', 'cause', 'after_visit_id', 'state', 'next_visit'])
      .expression(
        db
          .selectFrom('domains')
          .select([
            'id',
            sql<number>`cast(${parameter('at')} as integer)`.as('at'),
            sql<ReschedulesTable['cause']>`cast(${parameter('cause')} as text)`.as('cause'),
            sql<number>`(${sql.raw(LAST_VISIT_ID)})`.as('after_visit_id'),
            'state',
            'next_visit',
          ])
          .where('id', '=', parameter('id')),
      ),
  );
  return (reschedule) => {
    insert.run(reschedule);
  };
}
