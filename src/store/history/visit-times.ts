import { Rows } from '../sqlite/database.ts';
import type { QueryParameter } from '../sqlite/prepare.ts';

/** Finds visits by time, which has no index. */
export class VisitTimes extends Rows {
  readonly #last = this.database.prepare((db) => db.selectFrom('visits').select((row) => row.fn.max('id').as('id')));
  readonly #firstFrom = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('visits').select(['id', 'at']).where('id', '>=', parameter('id')).orderBy('id').limit(1),
  );

  /**
   * Finds by bisection the id of the last visit that began before a time; 0 when there is none, and possibly that of a deleted visit. The
   * result is exact only if the visits began in the order of their ids, which a wrong clock can break.
   */
  lastBefore(time: number): number {
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
