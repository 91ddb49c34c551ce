import { createBacklogReader } from '../frontier/pick-domains.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreCounts } from '../store-reader.ts';
import { listed } from './listed.ts';

type Nothing = Record<never, never>;

export function createDomainCounter(sqlite: Sqlite, db: Compiler): (at: number) => StoreCounts {
  const known = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db.selectFrom('domains').select((row) => row.fn.countAll<number>().as('count')),
  );
  const published = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db
      .selectFrom('domains')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where(listed),
  );
  const backlog = createBacklogReader(sqlite, db);
  return (at) => ({
    domains: known.get({})?.count ?? 0,
    listed: published.get({})?.count ?? 0,
    due: Object.values(backlog(at)).reduce((total, { due }) => total + due, 0),
  });
}
