import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { Reason } from '../../model/reason.ts';
import type { EpochMs } from '../../model/time.ts';
import { UPTIME_MS, type Uptime, type UptimeVisit, uptimeOf } from '../../model/uptime.ts';
import { Rows } from '../sqlite/database.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';

/** What a visit says about uptime, with its duration and the cause of a failure. */
export interface TimedVisit extends UptimeVisit {
  readonly durationMs: number;
  readonly reason: Reason;
}

/**
 * The visits up to `at`, from the second last before `from` that says something: the outcome of the last one counts until the next, and
 * a failure needs another one beside it.
 */
type Period = { from: EpochMs; at: EpochMs };
/** 0 failed, 1 conclusive, 2 failed if the domain once was Loops, null says nothing about whether the host is up. */
type Outcome = 0 | 1 | 2 | null;
type OutcomeTuple = readonly [at: EpochMs, nextVisit: EpochMs | null, outcome: Outcome];

/** Must equal the expression in the index; otherwise SQLite reads the rows. */
const OUTCOME = `case
  when verdict = 'declined' or reason = 'third-party-limit' then null
  when verdict = 'unreachable' then 0
  when verdict = 'unidentified' then 2
  else 1
end`;

/** Newest first. Reads only the index `visits_of_domain`, not the table. */
const selectOutcomes = (db: Compiler, parameter: QueryParameter<Period & { id: number }>) =>
  db
    .selectFrom('visits')
    .select(['at', 'next_visit as nextVisit', sql<Outcome>`(${sql.raw(OUTCOME)})`.as('outcome')])
    .where('domain_id', '=', parameter('id'))
    .where(
      'at',
      '>=',
      sql<number>`ifnull((
        select at from visits where domain_id = ${parameter('id')} and at <= ${parameter('from')} and (${sql.raw(OUTCOME)}) is not null
        order by at desc limit 1 offset 1
      ), 0)`,
    )
    .where('at', '<=', parameter('at'))
    .orderBy('at', 'desc');

interface UptimeDomain {
  readonly id: number;
  /** For a domain that ever was Loops, `unidentified` is a failure. */
  readonly was_ever_loops: number;
}

/** When domains were up, by the outcomes of their visits. */
export class Uptimes extends Rows {
  readonly #find = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    db.selectFrom('domains').select(['id', 'was_ever_loops']).where('domain', '=', parameter('domain')),
  );
  readonly #outcomes = this.database.prepare(selectOutcomes);
  /** Reads the row of each visit, unlike #outcomes; fast enough for a period of some months. */
  readonly #timedVisits = this.database.prepare((db, parameter: QueryParameter<Period & { id: number }>) =>
    selectOutcomes(db, parameter).select(['duration_ms as durationMs', 'reason']),
  );

  of(domain: Domain, at: EpochMs): Uptime {
    return this.database.read(() => this.ofRow(this.#rowOf(domain), at));
  }

  ofRow({ id, was_ever_loops }: UptimeDomain, now: EpochMs): Uptime {
    const rows = this.#outcomes.tuples<OutcomeTuple>({ id, from: now - UPTIME_MS, at: now }).values();
    const visits = rows.map(([at, nextVisit, outcome]) => ({ at, nextVisit, isUp: isUp(outcome, was_ever_loops) }));
    return uptimeOf(visits, now);
  }

  /** The visits of a domain up to `at`, from the second last before `from` that says something, newest first. */
  visitsOf(domain: Domain, period: Period): TimedVisit[] {
    return this.database.read(() => {
      const { id, was_ever_loops } = this.#rowOf(domain);
      const rows = this.#timedVisits.all({ id, ...period });
      return rows.map(({ outcome, ...visit }) => ({ ...visit, isUp: isUp(outcome, was_ever_loops) }));
    });
  }

  #rowOf(domain: Domain): UptimeDomain {
    // No visit has the domain -1, so an unknown domain has no uptime.
    return this.#find.get({ domain }) ?? { id: -1, was_ever_loops: 0 };
  }
}

function isUp(outcome: Outcome, wasEverLoops: number): boolean | null {
  return outcome === null ? null : outcome === 1 || (outcome === 2 && wasEverLoops === 0);
}
