import { sql } from 'kysely';
import { UPTIME_MS, type Uptime, type UptimeVisit, uptimeOf } from '../../model/uptime.ts';
import { type Compiler, prepare, prepareTuples, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { TimedVisit } from '../store-reader.ts';

/** A domain and whether it ever was Loops: for those that were, `unidentified` is a failure. */
export interface UptimeDomain {
  domainId: number;
  wasEverLoops: boolean;
}

interface Period {
  domain_id: number;
  from: number;
  at: number;
}

/** Reads the uptime of a domain as of `at`. */
export type ReadUptime = (domain: UptimeDomain, at: number) => Uptime;

/** Reads only the index `visits_of_domain`, not the table. */
export function createUptimeReader(sqlite: Sqlite, db: Compiler): ReadUptime {
  const visits = prepareTuples<Period, OutcomeRow>(sqlite, (parameter) => selectOutcomes(db, parameter));
  return ({ domainId, wasEverLoops }, at) =>
    uptimeOf(toUptimeVisits(visits({ domain_id: domainId, from: at - UPTIME_MS, at }), wasEverLoops), at);
}

/** 0 failed, 1 conclusive, 2 failed if the domain once was Loops, null says nothing about whether the host is up. */
type Outcome = 0 | 1 | 2 | null;

/** A tuple, because creating objects for a million visits takes longer than the rest of the query. */
type OutcomeRow = readonly [at: number, nextVisit: number | null, outcome: Outcome];

/** Must equal the expression in the index; otherwise SQLite reads the rows. */
const OUTCOME = `case
  when verdict = 'declined' or reason = 'third-party-limit' then null
  when verdict = 'unreachable' then 0
  when verdict = 'unidentified' then 2
  else 1
end`;

function* toUptimeVisits(rows: readonly OutcomeRow[], wasEverLoops: boolean): Generator<UptimeVisit> {
  for (const [at, nextVisit, outcome] of rows) {
    yield { at, nextVisit, isUp: isUp(outcome, wasEverLoops) };
  }
}

function isUp(outcome: Outcome, wasEverLoops: boolean): boolean | null {
  return outcome === null ? null : outcome === 1 || (outcome === 2 && !wasEverLoops);
}

/** Reads the visits of a domain up to `at`, back to the last one before `from`, newest first. */
type ReadTimedVisits = (domain: UptimeDomain, period: { from: number; at: number }) => TimedVisit[];

/** Unlike {@link createUptimeReader}, reads the row of each visit, which is fast enough for a period of some months. */
export function createTimedVisitReader(sqlite: Sqlite, db: Compiler): ReadTimedVisits {
  const visits = prepare(sqlite, (parameter: QueryParameter<Period>) =>
    selectOutcomes(db, parameter).select(['duration_ms', 'reason']),
  );
  return ({ domainId, wasEverLoops }, { from, at }) =>
    visits.all({ domain_id: domainId, from, at }).map((row) => ({
      at: row.at,
      nextVisit: row.next_visit,
      isUp: isUp(row.outcome, wasEverLoops),
      durationMs: row.duration_ms,
      reason: row.reason,
    }));
}

/** Visits of a period, newest first, and the last one before it, whose outcome counts until the first visit of the period. */
export const selectOutcomes = (db: Compiler, parameter: QueryParameter<Period>) =>
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
