import type { Compiler } from './compiler.ts';
import { toDomainRecord } from './domain-row.ts';
import { selectDue, selectDueAmong, selectNextLost, selectNextLostAmong } from './due-domains.ts';
import type { LostLeases } from './lost-leases.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';
import type { Store } from './store.ts';

interface Lease {
  owner: string;
  token: number;
  expires: number;
}

export interface Leases extends Pick<Store, 'lease' | 'renew' | 'release' | 'nextLostLease'> {
  /** Gives back every lease of this owner. */
  releaseAll(): void;
}

/** The leases of one owner. */
export function createLeases(
  sqlite: Sqlite,
  db: Compiler,
  { owner, leaseMs, lostLeases }: { owner: string; leaseMs: number; lostLeases: LostLeases },
): Leases {
  const due = prepare(sqlite, (value: Placeholder<{ at: number; limit: number }>) => selectDue(db, value));
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
      .where('id', '=', value('id')),
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

  let lastToken = 0;
  const lease = sqlite.transaction((limit: number, at: number, only: string | null) => {
    lostLeases.takeBackExpired(owner, at);
    const rows = only === null ? due.all({ at, limit }) : dueAmong.all({ only, at, limit });
    return rows.map((row) => {
      lastToken += 1;
      take.run({ id: row.id, owner, token: lastToken, expires: at + leaseMs });
      return { record: toDomainRecord(row), leaseToken: lastToken };
    });
  });
  const release = sqlite.transaction((domains: Parameters<Leases['release']>[0]) => {
    for (const { record, leaseToken } of domains) giveBack.run({ domain: record.domain, owner, token: leaseToken });
  });

  return {
    lease: (limit, at, { only } = {}) => lease.immediate(limit, at, only === undefined ? null : toJson(only)),
    renew: (at) => {
      prolong.run({ owner, expires: at + leaseMs });
    },
    release: (domains) => release.immediate(domains),
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
