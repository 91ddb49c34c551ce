import { sql } from 'kysely';
import { PRIORITY, type Priority } from '../../model/priority.ts';
import type { QueueEndsTable } from '../schema/tables.ts';
import { Rows } from '../sqlite/database.ts';
import { countUpTo, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';

/** The priorities whose domains are ordered by their entry. */
export type EntryPriority = typeof PRIORITY.first | typeof PRIORITY.reported | typeof PRIORITY.new;

/** Below every time, because a pick ends at the first domain whose order is later than now. */
const FIRST_ORDER = -(2 ** 50);
/** More requested domains wait among the new ones, so that a flood of requests does not delay the instances. */
const MAX_REQUESTED = 100;
/** More reported domains of one source wait among the new ones, so that a source that reports every name as Loops gains nothing. */
const MAX_REPORTED_PER_SOURCE = 1_000;

/**
 * Gives domains their place among those of the same priority. The order of a domain is `max(last order of its source, lowest order that
 * waits) + 1`: the sources take turns, and a source that had nothing waiting begins at the front. Everything runs inside the caller's transaction.
 */
export class QueueOrder extends Rows {
  readonly #readEnd = this.database.prepare(
    (db, parameter: QueryParameter<Pick<QueueEndsTable, 'source_id' | 'priority'>>) =>
      db
        .selectFrom('queue_ends')
        .select('last_order')
        .where('source_id', '=', parameter('source_id'))
        .where('priority', '=', parameter('priority')),
  );
  readonly #writeEnd = this.database.prepare((db, parameter: QueryParameter<QueueEndsTable>) =>
    db
      .insertInto('queue_ends')
      .values(queryParameters(parameter, ['source_id', 'priority', 'last_order']))
      .onConflict((conflict) =>
        conflict.columns(['source_id', 'priority']).doUpdateSet({ last_order: parameter('last_order') }),
      ),
  );
  readonly #lowestWaiting = this.database.prepare((db, parameter: QueryParameter<{ priority: Priority }>) =>
    db
      .selectFrom('domains')
      .select('queue_order as order')
      .where('priority', '=', parameter('priority'))
      .orderBy('queue_order')
      .limit(sql.lit(1)),
  );
  readonly #highestEnd = this.database.prepare((db, parameter: QueryParameter<{ priority: Priority }>) =>
    db
      .selectFrom('queue_ends')
      .select((row) => row.fn.max('last_order').as('order'))
      .where('priority', '=', parameter('priority')),
  );
  readonly #countRequested = this.database.prepare((db) =>
    countUpTo(
      db,
      db.selectFrom('domains').select('id').where('priority', '=', sql.lit(PRIORITY.first)),
      sql.lit(MAX_REQUESTED),
    ),
  );
  readonly #countReported = this.database.prepare((db, parameter: QueryParameter<{ source: number }>) =>
    countUpTo(
      db,
      db
        .selectFrom('domains')
        .select('id')
        .where('queued_for_source_id', '=', parameter('source'))
        .where('last_visit', 'is', null)
        .where('priority', '=', sql.lit(PRIORITY.reported)),
      sql.lit(MAX_REPORTED_PER_SOURCE),
    ),
  );

  /** Opens the queue of a source (null: of domains that no source lists) for one transaction. */
  open(source: number | null, priority: EntryPriority): SourceQueue {
    const key = { source_id: source ?? 0, priority };
    const lowest =
      this.#lowestWaiting.get({ priority })?.order ?? this.#highestEnd.get({ priority })?.order ?? FIRST_ORDER;
    const stored = this.#readEnd.get(key)?.last_order ?? FIRST_ORDER;
    return new SourceQueue(Math.max(stored, lowest), (lastOrder) => {
      this.#writeEnd.run({ ...key, last_order: lastOrder });
    });
  }

  /** The number of places left for domains that a user requests. */
  firstPlaces(): number {
    return MAX_REQUESTED - (this.#countRequested.get({})?.count ?? 0);
  }

  /** The number of places left for domains that a source reports to be Loops. */
  reportedPlaces(source: number): number {
    return MAX_REPORTED_PER_SOURCE - (this.#countReported.get({ source })?.count ?? 0);
  }
}

/** See {@link QueueOrder.open}. */
class SourceQueue {
  #last: number;
  #isChanged = false;
  readonly #write: (lastOrder: number) => void;

  constructor(last: number, write: (lastOrder: number) => void) {
    this.#last = last;
    this.#write = write;
  }

  /** The order that {@link take} would return. */
  next(): number {
    return this.#last + 1;
  }

  take(): number {
    this.#isChanged = true;
    return ++this.#last;
  }

  /** Stores how far `take` has advanced the queue. */
  save(): void {
    if (this.#isChanged) this.#write(this.#last);
  }
}
