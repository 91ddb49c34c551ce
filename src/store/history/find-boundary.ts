import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/**
 * Finds by bisection the id of the last visit that began before a time; 0 when there is none, and possibly that of a deleted visit. The
 * result is exact only if the visits began in the order of their ids, which a wrong clock can break.
 */
export function createBoundaryFinder(sqlite: Sqlite, db: Compiler): (before: number) => number {
  const lastVisit = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('visits').select((row) => row.fn.max('id').as('id')),
  );
  const firstVisitFrom = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('visits').select(['id', 'at']).where('id', '>=', parameter('id')).orderBy('id').limit(1),
  );
  return (before) => {
    let low = 0;
    let high = lastVisit.get({})?.id ?? 0;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const visit = firstVisitFrom.get({ id: middle });
      if (visit !== undefined && visit.at < before) low = Math.min(visit.id, high);
      else high = middle - 1;
    }
    return low;
  };
}
