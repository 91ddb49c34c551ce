import { sql } from 'kysely';
import type { Compiler } from './compiler.ts';
import { LAST_VISIT_ID } from './last-visit-id.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

const columns = [
  'state',
  'verdict',
  'reason',
  'conclusive',
  'via',
  'software',
  'version',
  'alias_of',
  'last_visit',
  'last_seen',
  'next_visit',
  'noindex',
  'points_to',
] as const;

/**
 * Keeps how a domain stands after it was moved by something that is no visit, so that every past moment can be told; visits keep that
 * themselves. Runs inside the caller's transaction, after the move.
 */
export type KeepMoment = (domainId: number, at: number) => void;

export function createMomentKeeper(sqlite: Sqlite, db: Compiler): KeepMoment {
  const lastVisitId = sql<number>`(${sql.raw(LAST_VISIT_ID)})`;
  const insert = prepare(sqlite, (value: Placeholder<{ id: number; at: number }>) =>
    db
      .insertInto('moments')
      .columns(['domain_id', 'at', 'after_visit_id', ...columns])
      .expression(
        db
          .selectFrom('domains')
          .select(['id', sql<number>`cast(${value('at')} as integer)`.as('at'), lastVisitId.as('after_visit_id')])
          .select(columns)
          .where('id', '=', value('id')),
      ),
  );
  return (id, at) => {
    insert.run({ id, at });
  };
}
