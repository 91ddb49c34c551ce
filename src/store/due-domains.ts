import { sql } from 'kysely';
import type { Compiler } from './compiler.ts';
import type { Placeholder } from './prepare.ts';

/**
 * The condition of the partial index `domains_due`, word for word: SQLite uses a partial index only when the query
 * says its condition, and bound values do not count as saying it.
 */
const due = (db: Compiler) =>
  db
    .selectFrom('domains')
    .where('lease_owner', 'is', null)
    .where('state', '<>', sql.lit('opted-out' as const));

/** Domains due at `at` and free, the longest due first, then in the order of entry. */
export const selectDue = (db: Compiler, value: Placeholder<{ at: number; limit: number }>) =>
  due(db).selectAll().where('next_visit', '<=', value('at')).orderBy('next_visit').orderBy('id').limit(value('limit'));

/** The same of the domains in a JSON list, each looked up by name. */
export const selectDueAmong = (db: Compiler, value: Placeholder<{ only: string; at: number; limit: number }>) =>
  due(db)
    .selectAll()
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
