import { sql } from 'kysely';
import { UPTIME_MS, type Uptime, type UptimeVisit, uptimeOf } from '../../model/uptime.ts';
import { type Compiler, type Placeholder, prepareLists } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** A domain, and whether it ever was Loops: for those that were, `unidentified` is a failure. */
export interface Watched {
  domainId: number;
  onceLoops: boolean;
}

interface Stretch {
  domain_id: number;
  from: number;
  at: number;
}

/** How often a domain was up, as of `at`. */
export type ReadUptime = (watched: Watched, at: number) => Uptime;

/** Reads no row of a visit, only the index `visits_of_domain`. */
export function createUptimeReader(sqlite: Sqlite, db: Compiler): ReadUptime {
  const visits = prepareLists<Stretch, OutcomeRow>(sqlite, (value) => selectOutcomes(db, value));
  return ({ domainId, onceLoops }, at) =>
    uptimeOf(watchedVisits(visits({ domain_id: domainId, from: at - UPTIME_MS, at }), onceLoops), at);
}

/** 0 failed, 1 conclusive, 2 failed if the domain once was Loops, 3 succeeded and is not conclusive, null says nothing. */
type Outcome = 0 | 1 | 2 | 3 | null;

/** Start, the next visit as it was planned, outcome: not an object, since for a million visits these take longer than all the rest. */
type OutcomeRow = readonly [at: number, nextVisit: number | null, outcome: Outcome];

/** The expression in the index, word for word, or else SQLite reads the rows. */
export const OUTCOME = `case
  when reason = 'forbidden-address' then null
  when verdict = 'unreachable' then 0
  when verdict = 'unidentified' then 2
  when verdict = 'declined' then 3
  else 1
end`;

function* watchedVisits(rows: readonly OutcomeRow[], onceLoops: boolean): Generator<UptimeVisit> {
  for (const [at, nextVisit, outcome] of rows) {
    const isUp = outcome === null ? null : outcome === 1 || outcome === 3 || (outcome === 2 && !onceLoops);
    yield { at, nextVisit, isUp };
  }
}

/** Visits, newest first, from the last one before the stretch, which may vouch for its beginning. */
export const selectOutcomes = (db: Compiler, value: Placeholder<Stretch>) =>
  db
    .selectFrom('visits')
    .select(['at', 'next_visit', sql<Outcome>`(${sql.raw(OUTCOME)})`.as('outcome')])
    .where('domain_id', '=', value('domain_id'))
    .where('at', '>=', (query) =>
      query
        .selectFrom('visits')
        .select((row) => sql<number>`ifnull(${row.fn.max('at')}, 0)`.as('first'))
        .where('domain_id', '=', value('domain_id'))
        .where('at', '<=', value('from')),
    )
    .where('at', '<=', value('at'))
    .orderBy('at', 'desc');
