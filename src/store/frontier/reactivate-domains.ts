import type { Domain } from '../../model/domain/domain.ts';
import { findDomainChanges } from '../../model/domain-changes.ts';
import { createChangeWriter } from '../history/changes.ts';
import { type Compiler, prepare, type QueryParameter, queryParameters } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import {
  type DomainColumns,
  domainColumns,
  toDomainColumns,
  toDomainRecord,
  updatedColumns,
} from '../visits/domain-row.ts';
import type { DomainIntake } from './enter-domains.ts';

/** Changes the records of domains that a user requested by name, and enters unknown ones. */
export function createReactivation(
  sqlite: Sqlite,
  db: Compiler,
  { requestVisit }: Pick<DomainIntake, 'requestVisit'>,
): Store['reactivate'] {
  const writeChanges = createChangeWriter(sqlite, db);
  const find = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select([...domainColumns, 'id'])
      .where('domain', '=', parameter('domain')),
  );
  const update = prepare(sqlite, (parameter: QueryParameter<DomainColumns>) =>
    db
      .updateTable('domains')
      .set({ ...queryParameters(parameter, updatedColumns), crashes: 0 })
      .where('domain', '=', parameter('domain')),
  );
  return sqlite.transaction((...[domains, at, toReactivated]: Parameters<Store['reactivate']>) => {
    const { optedOut } = requestVisit(domains, at);
    const skipped = new Set(optedOut);
    for (const domain of domains) {
      const row = skipped.has(domain) ? undefined : find.get({ domain });
      if (row === undefined) continue;
      const before = toDomainRecord(row);
      const after = toReactivated(before);
      update.run(toDomainColumns(after));
      writeChanges(findDomainChanges(before, after), { domainId: row.id, at, cause: 'added', visitId: null });
    }
    return { optedOut };
  }).immediate;
}
