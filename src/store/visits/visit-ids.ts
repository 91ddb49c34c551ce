import { sql } from 'kysely';
import type { EpochMs } from '../../model/time.ts';
import { Rows } from '../sqlite/database.ts';
import { type QueryParameter, selectLastId } from '../sqlite/prepare.ts';

/** The ids of visits, which ascend in the order of recording. */
export class VisitIds extends Rows {
  /** For a table with AUTOINCREMENT, `sqlite_sequence` holds the largest id ever given, also to rows deleted since. */
  readonly #lastGiven = this.database.prepare((db) =>
    db
      .selectFrom(sql<{ seq: number; name: string }>`sqlite_sequence`.as('sqlite_sequence'))
      .select((row) => row.fn.max<number | null>('seq').as('id'))
      .where('name', '=', sql.lit('visits')),
  );
  readonly #last = this.database.prepare((db) => selectLastId(db, 'visits'));
  readonly #firstFrom = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('visits').select(['id', 'at']).where('id', '>=', parameter('id')).orderBy('id').limit(1),
  );

  /** The largest id ever given to a visit; 0 when there was none. */
  lastGiven(): number {
    return this.#lastGiven.get({})?.id ?? 0;
  }

  /**
   * Finds by bisection, since times have no index, the id of the last visit that began before a time; 0 when there is none, and possibly
   * that of a deleted visit. The result is exact only if the visits began in the order of their ids, which a wrong clock can break.
   */
  lastBefore(time: EpochMs): number {
    let low = 0;
    let high = this.#last.get({})?.id ?? 0;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const visit = this.#firstFrom.get({ id: middle });
      if (visit !== undefined && visit.at < time) low = Math.min(visit.id, high);
      else high = middle - 1;
    }
    return low;
  }
}
