import { sql } from 'kysely';
import type { UptimeVisit } from '../../model/uptime.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';

/** The domain of the visits, and their period. */
export interface OutcomePeriod {
  domain_id: number;
  from: number;
  at: number;
}

/** 0 failed, 1 conclusive, 2 failed if the domain once was Loops, null says nothing about whether the host is up. */
type Outcome = 0 | 1 | 2 | null;

/** A tuple, because creating objects for a million visits takes longer than the rest of the query. */
export type OutcomeRow = readonly [at: number, nextVisit: number | null, outcome: Outcome];

/** Must equal the expression in the index; otherwise SQLite reads the rows. */
const OUTCOME = `case
  when verdict = 'declined' or reason = 'third-party-limit' then null
  when verdict = 'unreachable' then 0
  when verdict = 'unidentified' then 2
  else 1
end`;

/** For a domain that ever was Loops, `unidentified` is a failure. */
export function* toUptimeVisits(rows: readonly OutcomeRow[], wasEverLoops: boolean): Generator<UptimeVisit> {
  for (const [at, nextVisit, outcome] of rows) {
    yield { at, nextVisit, isUp: isUp(outcome, wasEverLoops) };
  }
}

export function isUp(outcome: Outcome, wasEverLoops: boolean): boolean | null {
  return outcome === null ? null : outcome === 1 || (outcome === 2 && !wasEverLoops);
}

/**
 * Visits of a period, newest first, and the last one before it, whose outcome counts until the first visit of the period. Reads only the
 * index `visits_of_domain`, not the table.
 */
export const selectOutcomes = (db: Compiler, parameter: QueryParameter<OutcomePeriod>) =>
  db
    .selectFrom('visits')
    .select(['at', 'next_visit', sql<Outcome>`(${sql.raw(OUTCOME)})`.as('outcome')])
    .where('domain_id', '=', parameter('domain_id'))
    .where('at', '>=', (query) =>
      query
        .selectFrom('visits')
        .select((row) => sql<number>`ifnull(${row.fn.max('at')}, 0)`.as('first'))
        .where('domain_id', '=', parameter('domain_id'))
        .where('at', '<=', parameter('from')),
    )
    .where('at', '<=', parameter('at'))
    .orderBy('at', 'desc');
