import { sql } from 'kysely';
import type { Compiler } from './compiler.ts';
import type { Placeholder } from './prepare.ts';
import type { Line } from './store-reader.ts';

/**
 * Those of a line that are free: the condition of the partial index `domains_waiting`, word for word. SQLite uses a partial index
 * only when the query says its condition.
 */
const freeIn = (db: Compiler, line: Line) =>
  db.selectFrom('domains').where('lease_owner', 'is', null).where('line', '=', sql.lit(line));

/** Those of a line and a turn that are free. */
export const selectWaitingIn = (db: Compiler, line: Line, value: Placeholder<{ turn: number }>) =>
  freeIn(db, line).where('turn', '=', value('turn'));

/** Domains of a line and a turn that are due at `at` and free, the longest due first, then in the order of entry. */
export const selectDue = (db: Compiler, line: Line, value: Placeholder<{ turn: number; at: number }>) =>
  selectWaitingIn(db, line, value)
    .select('id')
    .where('next_visit', '<=', value('at'))
    .orderBy('next_visit')
    .orderBy('id');

/** A part of these. */
export const selectSomeDue = (
  db: Compiler,
  line: Line,
  value: Placeholder<{ turn: number; at: number; limit: number; offset: number }>,
) => selectDue(db, line, value).limit(value('limit')).offset(value('offset'));

/** The turns of a line in which somebody waits, due or not, ascending: from each, SQLite leaps to the next. */
export const selectTurns = (db: Compiler, line: Line) => {
  const first = freeIn(db, line).select('turn').orderBy('turn').limit(sql.lit(1));
  const next = first.where('turn', '>', sql<number>`before.turn`);
  const turns = sql<{ turn: number }>`(
    with recursive before(turn) as (
      select * from ${first}
      union all
      select ${next} from before where before.turn is not null
    )
    select turn from before where turn is not null
  )`;
  return db.selectFrom(turns.as('turns')).select('turn');
};

/** How many of a line and a turn are due at `at` and free, counted up to `most`, and when the first of them was due. */
export const selectBacklog = (
  db: Compiler,
  line: Line,
  value: Placeholder<{ turn: number; at: number; most: number }>,
) =>
  db
    .selectFrom(
      selectWaitingIn(db, line, value)
        .select('next_visit')
        .where('next_visit', '<=', value('at'))
        .orderBy('next_visit')
        .limit(value('most'))
        .as('waiting'),
    )
    .select((row) => [row.fn.countAll<number>().as('due'), row.fn.min('next_visit').as('oldest')]);

/** Due domains among those in a JSON list, whatever their line, each looked up by name. */
export const selectDueAmong = (db: Compiler, value: Placeholder<{ only: string; at: number; limit: number }>) =>
  db
    .selectFrom('domains')
    .select('id')
    .where('lease_owner', 'is', null)
    .where('state', '<>', sql.lit('opted-out' as const))
    .where('domain', 'in', sql<never>`(select value from json_each(${value('only')}))`)
    // The plus keeps SQLite from walking every due domain instead.
    .where(sql<number>`+next_visit`, '<=', value('at'))
    .orderBy('next_visit')
    .orderBy('id')
    .limit(value('limit'));

/** The next visit of the first domain that waits after a lost lease. */
export const selectNextLost = (db: Compiler, value: Placeholder<{ at: number }>) =>
  db
    .selectFrom('domains')
    .select('next_visit as nextVisit')
    .where('leases_lost', '>', sql.lit(0))
    .where('lease_owner', 'is', null)
    .where('state', '<>', sql.lit('opted-out' as const))
    .where('next_visit', '>', value('at'))
    .orderBy('next_visit')
    .limit(sql.lit(1));

/** The same of the domains in a JSON list. */
export const selectNextLostAmong = (db: Compiler, value: Placeholder<{ only: string; at: number }>) =>
  selectNextLost(db, value as Placeholder<{ at: number }>).where(
    'domain',
    'in',
    sql<never>`(select value from json_each(${value('only')}))`,
  );
