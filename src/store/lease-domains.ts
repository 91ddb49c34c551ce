import type { Domain } from '../domain/domain.ts';
import type { Compiler } from './compiler.ts';
import { type DomainColumns, domainColumns, toDomainRecord } from './domain-row.ts';
import { selectDueAmong, selectNextLost, selectNextLostAmong } from './due-domains.ts';
import type { LostLeases } from './lost-leases.ts';
import { createPicker } from './pick-due.ts';
import { type Placeholder, prepare } from './prepare.ts';
import { createPutOff } from './put-off.ts';
import type { Sqlite } from './sqlite.ts';
import type { LeasedDomain, Store } from './store.ts';

/** A lease picks so many times for those that it puts off: it ends, however many these are. */
const MOST_ROUNDS = 100;

interface Lease {
  owner: string;
  token: number;
  expires: number;
}

export type Leases = Pick<Store, 'lease' | 'holds' | 'renew' | 'release' | 'releaseAll' | 'lose' | 'nextLostLease'>;

/** The leases of one owner. */
export function createLeases(
  sqlite: Sqlite,
  db: Compiler,
  { owner, leaseMs, lostLeases }: { owner: string; leaseMs: number; lostLeases: LostLeases },
): Leases {
  const dueAmong = prepare(sqlite, (value: Placeholder<{ only: string; at: number; limit: number }>) =>
    selectDueAmong(db, value),
  );
  const nextLost = prepare(sqlite, (value: Placeholder<{ at: number }>) => selectNextLost(db, value));
  const nextLostAmong = prepare(sqlite, (value: Placeholder<{ only: string; at: number }>) =>
    selectNextLostAmong(db, value),
  );
  const take = prepare(sqlite, (value: Placeholder<Lease & { id: number }>) =>
    db
      .updateTable('domains')
      .set({ lease_owner: value('owner'), lease_token: value('token'), lease_expires: value('expires') })
      .where('id', '=', value('id'))
      .returning(domainColumns),
  );
  const held = prepare(sqlite, (value: Placeholder<Pick<Lease, 'owner' | 'token'> & { domain: Domain }>) =>
    db
      .selectFrom('domains')
      .select('id')
      .where('domain', '=', value('domain'))
      .where('lease_owner', '=', value('owner'))
      .where('lease_token', '=', value('token')),
  );
  const prolong = prepare(sqlite, (value: Placeholder<Pick<Lease, 'owner' | 'expires'>>) =>
    db
      .updateTable('domains')
      .set({ lease_expires: value('expires') })
      .where('lease_owner', '=', value('owner')),
  );
  const free = { lease_owner: null, lease_token: null, lease_expires: null };
  const giveBack = prepare(sqlite, (value: Placeholder<Pick<Lease, 'owner' | 'token'> & { domain: string }>) =>
    db
      .updateTable('domains')
      .set(free)
      .where('domain', '=', value('domain') as never)
      .where('lease_owner', '=', value('owner'))
      .where('lease_token', '=', value('token')),
  );
  const giveAllBack = prepare(sqlite, (value: Placeholder<Pick<Lease, 'owner'>>) =>
    db.updateTable('domains').set(free).where('lease_owner', '=', value('owner')),
  );

  const pick = createPicker(sqlite, db);
  const putOff = createPutOff(sqlite, db);

  let lastToken = 0;
  const takeOne = (id: number, at: number): DomainColumns | undefined => {
    lastToken += 1;
    return take.get({ id, owner, token: lastToken, expires: at + leaseMs });
  };
  const lease = sqlite.transaction((limit: number, at: number, only: string | null): LeasedDomain[] => {
    lostLeases.takeBackExpired(owner, at);
    const leased: LeasedDomain[] = [];
    /** Answers whether all could be taken. */
    const takeAll = (ids: readonly number[], mayPutOff: boolean): boolean => {
      const before = leased.length;
      for (const id of ids) {
        const row = takeOne(id, at);
        if (row === undefined || (mayPutOff && putOff(id, row, at))) continue;
        leased.push({ record: toDomainRecord(row), leaseToken: lastToken });
      }
      return leased.length - before === ids.length;
    };
    if (only !== null)
      takeAll(
        dueAmong.all({ only, at, limit }).map(({ id }) => id),
        false,
      );
    else for (let rounds = 0; rounds < MOST_ROUNDS && !takeAll(pick(limit - leased.length, at), true); rounds += 1);
    return leased;
  });
  const release = sqlite.transaction((domains: Parameters<Leases['release']>[0]) => {
    for (const { record, leaseToken } of domains) giveBack.run({ domain: record.domain, owner, token: leaseToken });
  });

  return {
    lease: (limit, at, { only } = {}) => lease.immediate(limit, at, only === undefined ? null : toJson(only)),
    holds: ({ record, leaseToken }) => held.get({ domain: record.domain, owner, token: leaseToken }) !== undefined,
    renew: (at) => {
      prolong.run({ owner, expires: at + leaseMs });
    },
    release: (domains) => release.immediate(domains),
    lose: (domains, at) => {
      const leases = domains.map(({ record, leaseToken }) => ({ domain: record.domain, token: leaseToken }));
      lostLeases.takeBackSome(owner, leases, at);
    },
    releaseAll: () => {
      giveAllBack.run({ owner });
    },
    nextLostLease(at, { only } = {}) {
      const row = only === undefined ? nextLost.get({ at }) : nextLostAmong.get({ only: toJson(only), at });
      return row?.nextVisit ?? null;
    },
  };
}

function toJson(domains: Iterable<string>): string {
  return JSON.stringify([...domains]);
}
