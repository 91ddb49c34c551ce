import { sql } from 'kysely';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';
import { countColumns } from './usage-row.ts';

/** What a visit decided, by the columns that it shares with `revised_visits`; its counts are in `usage`. */
export const revisedColumns = [
  'verdict',
  'reason',
  'via',
  'software',
  'version',
  'alias_of',
  'facts_id',
  'kept_facts_id',
] as const;

/**
 * Keeps what a visit had decided, since that is what was published until now. Runs inside the caller's transaction, before the visit is
 * revised; the first of several revisions at one time is the one that counts.
 */
export type KeepRevisedVisit = (visitId: number, revisedAt: number) => void;

export function createRevisedVisitKeeper(sqlite: Sqlite, db: Compiler): KeepRevisedVisit {
  const insert = prepare(sqlite, (value: Placeholder<{ id: number; at: number }>) =>
    db
      .insertInto('revised_visits')
      .columns(['visit_id', 'revised_at', 'domain_id', ...revisedColumns, ...countColumns])
      .expression(
        db
          .selectFrom('visits')
          .leftJoin('usage', (join) =>
            join
              .onRef('usage.domain_id', '=', 'visits.domain_id')
              .onRef('usage.at', '=', 'visits.at')
              .onRef('usage.visit_id', '=', 'visits.id'),
          )
          .select(['visits.id', sql<number>`cast(${value('at')} as integer)`.as('revised_at'), 'visits.domain_id'])
          .select([...revisedColumns, ...countColumns])
          .where('visits.id', '=', value('id')),
      )
      .orIgnore(),
  );
  return (id, at) => {
    insert.run({ id, at });
  };
}
