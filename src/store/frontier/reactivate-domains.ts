import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { findDomainChanges } from '../../model/domain-changes.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
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
import { isLeased } from './due-domains.ts';
import type { LostLeases } from './lost-leases.ts';
import { createSourceQueues } from './source-queues.ts';

/** Changes the records of domains that a user requested by name, and enters unknown ones. */
export function createReactivation(
  sqlite: Sqlite,
  db: Compiler,
  {
    owner,
    lostLeases,
    enter,
    optedOut,
  }: { owner: string; lostLeases: LostLeases; enter: Store['enter']; optedOut: OptOutSet },
): Store['reactivate'] {
  const writeChanges = createChangeWriter(sqlite, db);
  const find = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select([...domainColumns, 'id', isLeased.as('isLeased')])
      .where('domain', '=', parameter('domain')),
  );
  const { virtualTime } = createSourceQueues(sqlite, db);
  const update = prepare(sqlite, (parameter: QueryParameter<DomainColumns & { rank: number | null }>) =>
    db
      .updateTable('domains')
      .set({
        ...queryParameters(parameter, updatedColumns),
        leases_lost: 0,
        postponements: 0,
        requested: sql.lit(1),
        rank: parameter('rank'),
      })
      .where('domain', '=', parameter('domain')),
  );

  const reactivate = sqlite.transaction((...[domains, at, toReactivated]: Parameters<Store['reactivate']>) => {
    const skipped: ReturnType<Store['reactivate']> = { optedOut: [], leased: [] };
    lostLeases.reclaimExpired(owner, at);
    for (const domain of domains) {
      if (optedOut.has(domain)) {
        skipped.optedOut.push(domain);
        continue;
      }
      const row = find.get({ domain });
      if (row === undefined) throw new Error(`${domain} was entered but does not exist`);
      if (row.isLeased === 1) skipped.leased.push(domain);
      else {
        const before = toDomainRecord(row);
        const after = toReactivated(before);
        update.run({ ...toDomainColumns(after), rank: before.lastVisit === null ? virtualTime() : null });
        writeChanges(findDomainChanges(before, after), { domainId: row.id, at, cause: 'added', visitId: null });
      }
    }
    return skipped;
  });
  return (domains, at, toReactivated) => {
    enter(domains, at);
    return reactivate.immediate(domains, at, toReactivated);
  };
}
