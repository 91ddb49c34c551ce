import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import { PRIORITY, type Priority, priorityAfterVisit } from '../../model/priority.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import { Rows } from '../sqlite/database.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { type DomainColumns, domainColumns, toDomainRecord } from '../visits/domain-row.ts';

/** A due domain that was picked for a visit; see `in_progress`. */
export interface PickedDomain {
  readonly id: number;
  readonly record: DomainRecord;
  readonly priority: Priority;
  /** Null when nobody requested the visit. */
  readonly requestedBy: Requester | null;
  /** Visits in a row that ended with the process that made them. */
  readonly crashes: number;
}

/** Who requested a visit: a visitor of the pages (`submission`), or a user of the command line, a replay, or a domain that redirects here. */
export type Requester = 'user' | 'submission';

/** The share of a pick that goes by priority; the rest goes by next visit alone, so that nothing starves. */
const SHARE_BY_PRIORITY = 3 / 4;
/** The order of a domain that is never due. */
const NEVER = 2 ** 52;
const FIRST_CRASH_WAIT_MS = 1_000;
const MAX_CRASH_WAIT_MS = 30 * DAY_MS;

/**
 * The wait of a domain after the given number of visits in a row that ended with the process. The first costs neither time nor the place in
 * the order, because most domains that were being visited when a process died did not cause its death; then 1 s, doubling to 30 days, so that
 * a host whose visit crashes the process cannot do so in a loop.
 */
export function waitAfterCrashesMs(crashes: number): number {
  return crashes < 2 ? 0 : Math.min(FIRST_CRASH_WAIT_MS * 2 ** (crashes - 2), MAX_CRASH_WAIT_MS);
}

/** The order among due domains of the priorities `instance` and `known`. */
export function orderByNextVisit(nextVisit: number | null): number {
  return nextVisit ?? NEVER;
}

/** For queries over `domains`. */
export const isNotInProgress = sql<boolean>`domains.id not in (select domain_id from in_progress)`;

/** Domains that are not being visited. */
const selectIdle = <Parameters extends { limit: number }>(db: Compiler, parameter: QueryParameter<Parameters>) =>
  db
    .selectFrom('domains')
    .select('id')
    .where(isNotInProgress)
    .limit(sql<number>`${parameter('limit')}`);

/** A domain with a new next visit. */
type Rescheduled = { id: number; until: number; why: string | null; crashes: number; priority: Priority };

/**
 * The due domains. A picked domain is in progress until its visit is recorded or it is given back; a row of `in_progress` that a process
 * leaves behind counts as a crash of the visit. Only the crawling process picks.
 */
export class DueDomains extends Rows {
  readonly #byPriority = this.database.prepare(
    (db, parameter: QueryParameter<{ priority: Priority; at: EpochMs; limit: number }>) =>
      selectIdle(db, parameter)
        .where('priority', '=', parameter('priority'))
        // Ends the scan at the first domain that is not due; orders by entry are below every time.
        .where('queue_order', '<=', parameter('at'))
        .where('next_visit', '<=', parameter('at'))
        .orderBy('queue_order'),
  );
  /** The longest overdue first. */
  readonly #byNextVisit = this.database.prepare((db, parameter: QueryParameter<{ at: EpochMs; limit: number }>) =>
    selectIdle(db, parameter).where('next_visit', '<=', parameter('at')).orderBy('next_visit'),
  );
  /** The due ones among those in a JSON list; each is looked up by name. */
  readonly #among = this.database.prepare(
    (db, parameter: QueryParameter<{ only: string; at: EpochMs; limit: number }>) =>
      selectIdle(db, parameter)
        .where('domain', 'in', sql<never>`(select value from json_each(${parameter('only')}))`)
        // The unary plus prevents SQLite from scanning all due domains by index.
        .where(sql<number>`+next_visit`, '<=', parameter('at'))
        .orderBy('next_visit'),
  );
  /** Instances that are up, in random order. */
  readonly #up = this.database.prepare((db, parameter: QueryParameter<{ limit: number }>) =>
    selectIdle(db, parameter)
      .where('priority', '=', sql.lit(PRIORITY.instance))
      .where('state', '=', sql.lit('active'))
      .orderBy(sql`random()`),
  );
  readonly #find = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db
      .selectFrom('domains')
      .select([...domainColumns, 'id', 'priority', 'origin', 'crashes'])
      .where('id', '=', parameter('id')),
  );
  readonly #begin = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.insertInto('in_progress').values({ domain_id: parameter('id') }),
  );
  readonly #end = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.deleteFrom('in_progress').where('domain_id', '=', parameter('id')).returning('is_requested'),
  );
  readonly #reschedule = this.database.prepare((db, parameter: QueryParameter<Rescheduled>) =>
    db
      .updateTable('domains')
      .set({
        next_visit: parameter('until'),
        next_visit_why: parameter('why'),
        queue_order: parameter('until'),
        priority: parameter('priority'),
        crashes: parameter('crashes'),
      })
      .where('id', '=', parameter('id')),
  );
  readonly #delay = this.database.prepare((db, parameter: QueryParameter<Omit<Rescheduled, 'priority'>>) =>
    db
      .updateTable('domains')
      .set({
        next_visit: parameter('until'),
        next_visit_why: parameter('why'),
        crashes: parameter('crashes'),
      })
      .where('id', '=', parameter('id')),
  );
  readonly #inProgress = this.database.prepare((db) => db.selectFrom('in_progress').select('domain_id as id'));
  readonly #bringForward = this.database.prepare((db, parameter: QueryParameter<{ at: number }>) => {
    // The planned interval, from now on instead of from a visit in the future.
    const next = sql<number>`cast(${parameter('at')} as integer) + max(0, next_visit - ifnull(last_visit, next_visit))`;
    return db
      .updateTable('domains')
      .set({ next_visit: next, queue_order: sql<number>`min(queue_order, ${next})` })
      .where(sql<boolean>`ifnull(last_visit, first_seen) > ${parameter('at')}`)
      .where('next_visit', '>', parameter('at'));
  });
  readonly #releaseAll = this.database.prepare((db) => db.deleteFrom('in_progress'));
  readonly #namers = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select('domain')
      .where((row) =>
        row.or([row('alias_of', '=', parameter('domain')), row('canonical_host', '=', parameter('domain'))]),
      ),
  );

  /** Picks due domains by priority, and in part by next visit; with `only`, those of these domains that are due. */
  pick(limit: number, at: number, only?: readonly Domain[]): PickedDomain[] {
    return this.database.write(() => {
      if (only !== undefined) return this.#take(this.#among.all({ only: JSON.stringify(only), at, limit }));
      const picked: PickedDomain[] = [];
      const mostByPriority = Math.ceil(limit * SHARE_BY_PRIORITY);
      for (const priority of Object.values(PRIORITY))
        picked.push(...this.#take(this.#byPriority.all({ priority, at, limit: mostByPriority - picked.length })));
      picked.push(...this.#take(this.#byNextVisit.all({ at, limit: limit - picked.length })));
      return picked;
    });
  }

  /** Picks only due domains that go before all others. */
  pickFirst(limit: number, at: number): PickedDomain[] {
    return this.database.write(() => this.#take(this.#byPriority.all({ priority: PRIORITY.first, at, limit })));
  }

  /** Picks instances that are up at random, whether they are due or not. */
  pickWitnesses(limit: number): PickedDomain[] {
    return this.database.write(() => this.#take(this.#up.all({ limit })));
  }

  /** Gives domains back; they stay due. */
  release(domains: readonly PickedDomain[]): void {
    if (domains.length === 0) return;
    this.database.write(() => {
      for (const { id } of domains) this.#end.get({ id });
    });
  }

  /** Gives a domain back, with its next visit at `until`; it stays due if its visit was requested since it was picked. */
  defer(picked: PickedDomain, { until, why }: { until: number; why: string }): void {
    const { id } = picked;
    this.database.write(() => {
      // Nothing crashed, so earlier crashes no longer count.
      if (this.#end.get({ id })?.is_requested === 0) this.#postpone({ id, until, why, crashes: 0 }, picked);
    });
  }

  /** Gives a domain back whose visit ended with the process that made it. */
  countCrash(picked: PickedDomain, at: number): void {
    this.database.write(() => this.#countCrash(picked, at));
  }

  /** Counts a crash for each domain that an earlier process left in progress, and returns their number. Called once, before the first pick. */
  recover(at: number): number {
    return this.database.write(() => {
      const left = this.#inProgress.all({});
      for (const { id } of left) {
        const row = this.#find.get({ id });
        if (row !== undefined) this.#countCrash(toPicked(row), at);
      }
      return left.length;
    });
  }

  /** Whether a domain that goes before all others is due and not in progress. */
  hasFirst(at: number): boolean {
    return this.database.read(() => this.#byPriority.all({ priority: PRIORITY.first, at, limit: 1 }).length > 0);
  }

  /** Brings the next visits of domains forward that were visited or entered while the clock was ahead. Returns their number. Reads every domain. */
  bringForward(at: number): number {
    return this.database.write(() => this.#bringForward.run({ at }));
  }

  /** Gives all domains back, also those that a failed pass could not give back because the database was not writable. */
  releaseAll(): void {
    this.database.write(() => this.#releaseAll.run({}));
  }

  /** The domains that redirect to this one or name it as their main host. */
  domainsThatName(domain: Domain): Domain[] {
    return this.database.read(() => this.#namers.all({ domain }).map((row) => row.domain));
  }

  #take(ids: readonly { id: number }[]): PickedDomain[] {
    return ids.flatMap(({ id }) => {
      const row = this.#find.get({ id });
      if (row === undefined) return [];
      this.#begin.run({ id });
      return toPicked(row);
    });
  }

  #countCrash(picked: PickedDomain, at: number): void {
    const { id, record, crashes: before } = picked;
    if (this.#end.get({ id }) === undefined) return;
    const crashes = before + 1;
    const waitMs = waitAfterCrashesMs(crashes);
    if (waitMs === 0) {
      this.#delay.run({ id, until: record.nextVisit ?? at, why: record.nextVisitWhy, crashes });
      return;
    }
    const until = at + Math.round(waitMs * (0.5 + fractionOf(id)));
    this.#postpone({ id, until, why: `${crashes} visits in a row were cut off before they ended`, crashes }, picked);
  }

  /** The domain then waits by its next visit, even if it is new or was requested; one that is reported as Loops keeps its place. */
  #postpone(next: Omit<Rescheduled, 'priority'>, { record, priority }: PickedDomain): void {
    if (priority === PRIORITY.reported) this.#delay.run(next);
    else this.#reschedule.run({ ...next, priority: priorityAfterVisit(record) });
  }
}

/** A number in [0, 1) that is spread evenly over ids, so that domains that were cut off together are not visited together again. */
function fractionOf(id: number): number {
  return (id * 0.618_033_988_749_895) % 1;
}

function toPicked(
  row: DomainColumns & Pick<PickedDomain, 'id' | 'priority' | 'crashes'> & { origin: Requester | null },
): PickedDomain {
  const { id, priority, origin, crashes } = row;
  return { id, record: toDomainRecord(row), priority, requestedBy: origin, crashes };
}
