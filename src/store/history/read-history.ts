import type { Domain } from '../../model/domain/domain.ts';
import { type Compiler, createIteration, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { ReadScope } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';
import { selectedCounts } from '../visits/usage.ts';
import { changeColumns, toChange } from './changes.ts';

type OfDomain = { domain: Domain };

export type HistoryReader = Pick<StoreReader, 'changesOf' | 'lastChangeId' | 'usageOf'>;

export function createHistoryReader(sqlite: Sqlite, db: Compiler, { read, stream }: ReadScope): HistoryReader {
  const idOf = (parameter: QueryParameter<OfDomain>) =>
    db.selectFrom('domains').select('id').where('domain', '=', parameter('domain'));
  const changes = createIteration(() =>
    prepare(sqlite, (parameter: QueryParameter<OfDomain>) =>
      db
        .selectFrom('changes')
        .select([...changeColumns, 'visit_id'])
        .where('domain_id', '=', idOf(parameter))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc'),
    ),
  );
  const usage = createIteration(() =>
    prepare(sqlite, (parameter: QueryParameter<OfDomain>) =>
      db
        .selectFrom('usage')
        .select(['at', ...selectedCounts])
        .where('domain_id', '=', idOf(parameter))
        .orderBy('at', 'desc')
        .orderBy('visit_id', 'desc'),
    ),
  );
  const lastChange = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('changes').select((row) => row.fn.max<number | null>('id').as('id')),
  );

  return {
    lastChangeId: () => read(() => lastChange.get({})?.id ?? 0),
    changesOf: (domain) =>
      stream(
        () => changes({ domain }),
        (row) => ({ domain, ...toChange(row), visitId: row.visit_id }),
      ),
    usageOf: (domain) => stream(() => usage({ domain })),
  };
}
