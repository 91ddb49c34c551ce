import { type Selectable, sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { DomainsTable } from '../schema/database.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { LeasedDomain, Store } from '../store.ts';
import { domainColumns, toDomainRecord } from '../visits/domain-row.ts';
import { type NameRange, nameRangeOf, underAnyName } from '../visits/names-of-host.ts';
import { createPicker, selectDueAmong, selectNextLostLease, selectNextLostLeaseAmong } from './due-domains.ts';
import { type HeldLease, isHeld, type LostLeases } from './lost-leases.ts';
import { createSourceQueues } from './source-queues.ts';

/** Minimum interval between a first visit and any visit of the same host under another name. */
const FIRST_VISIT_INTERVAL_MS = 3_600_000;
/** Added to planned times, so that a late visit does not defer those planned after it. */
const SLACK_MS = 300_000;
const DEFERRAL_WHY = 'waits for another name of the same host; their first visits are at least an hour apart';

type DueDomain = Pick<Selectable<DomainsTable>, 'id' | 'domain' | 'last_visit' | 'requested'>;

/**
 * Defers the first visit of a due domain if another name of its site (the same host with any port, with or without `www.`) was visited
 * within the hour or is being visited. The visit is planned after those of the other waiting names of the site. Returns whether it was
 * deferred.
 *
 * An attacker who invents names of another host, or redirects to them, can thus cause at most one visit an hour. Names that the site
 * itself redirects to or declares as canonical, and domains that a user requested, are not deferred. Later visits keep their cadence.
 * Runs inside the lease transaction.
 */
type DeferFirstVisit = (due: DueDomain, at: number) => boolean;

function createFirstVisitDeferral(sqlite: Sqlite, db: Compiler, defer: Defer): DeferFirstVisit {
  const findOthers = prepare(sqlite, (parameter: QueryParameter<OtherNamesKey>) => selectOthersOfSite(db, parameter));
  return ({ id, domain, last_visit, requested }, at) => {
    if (last_visit !== null || requested === 1) return false;
    const others = findOthers.get({ ...nameRangeOf(domain), id, domain, at, since: at - FIRST_VISIT_INTERVAL_MS });
    if (others === undefined || others.lastVisit === null || others.pointsHere === 1) return false;
    const until = Math.max(others.lastVisit, others.lastPlanned ?? 0) + FIRST_VISIT_INTERVAL_MS + SLACK_MS;
    defer(id, { at, until, why: DEFERRAL_WHY });
    return true;
  };
}

type Defer = (id: number, visit: Parameters<Store['postpone']>[1]) => void;

/** Moves the next visit of a domain to a later time. Runs inside a transaction. */
function createDeferral(sqlite: Sqlite, db: Compiler): Defer {
  const move = prepare(sqlite, (parameter: QueryParameter<{ id: number; until: number; why: string }>) =>
    db
      .updateTable('domains')
      .set({ next_visit: parameter('until'), next_visit_why: parameter('why'), rank: null })
      .where('id', '=', parameter('id')),
  );
  return (id, { until, why }) => {
    move.run({ id, until, why });
  };
}

type OtherNamesKey = NameRange & { id: number; domain: Domain; at: number; since: number };

/**
 * The other names of a site: the last visit of any of them after `since` (`at` if one is being visited), the latest planned first visit,
 * and whether one of them points to `domain`.
 */
export const selectOthersOfSite = (db: Compiler, parameter: QueryParameter<OtherNamesKey>) =>
  underAnyName(db, parameter)
    .leftJoin('leases', 'leases.domain_id', 'names.id')
    .select([
      sql<number | null>`max(case
        when owner is not null then cast(${parameter('at')} as integer)
        when last_visit > ${parameter('since')} and last_visit <= ${parameter('at')} then last_visit
      end)`.as('lastVisit'),
      sql<number | null>`max(case
        when last_visit is null and owner is null and next_visit > ${parameter('at')} then next_visit
      end)`.as('lastPlanned'),
      sql<0 | 1 | null>`max(${parameter('domain')} in (ifnull(alias_of, ''), ifnull(canonical_host, '')))`.as(
        'pointsHere',
      ),
    ])
    .where('id', '<>', parameter('id'));

/** Maximum number of rounds in which one call of `lease` replaces deferred domains; bounds its duration. */
const MAX_ROUNDS = 100;

interface Lease {
  owner: string;
  token: number;
  expires: number;
}

export type Leases = Pick<
  Store,
  'lease' | 'holds' | 'renew' | 'release' | 'postpone' | 'releaseAll' | 'abandonLeases' | 'nextRetryAfterLostLease'
>;

/** The leases of one owner. */
export function createLeases(
  sqlite: Sqlite,
  db: Compiler,
  { owner, leaseMs, lostLeases }: { owner: string; leaseMs: number; lostLeases: LostLeases },
): Leases {
  const dueAmong = prepare(sqlite, (parameter: QueryParameter<{ only: string; at: number; limit: number }>) =>
    selectDueAmong(db, parameter),
  );
  const nextLost = prepare(sqlite, (parameter: QueryParameter<{ at: number }>) => selectNextLostLease(db, parameter));
  const nextLostAmong = prepare(sqlite, (parameter: QueryParameter<{ only: string; at: number }>) =>
    selectNextLostLeaseAmong(db, parameter),
  );
  const insertLease = prepare(sqlite, (parameter: QueryParameter<Lease & { id: number }>) =>
    db.insertInto('leases').values({
      domain_id: parameter('id'),
      owner: parameter('owner'),
      token: parameter('token'),
      expires: parameter('expires'),
    }),
  );
  const findDomains = prepare(sqlite, (parameter: QueryParameter<{ ids: string }>) =>
    db
      .selectFrom('domains')
      .select([...domainColumns, 'id', 'rank', 'requested', 'postponements'])
      .where('id', 'in', sql<never>`(select value from json_each(${parameter('ids')}))`),
  );
  const findHeld = prepare(sqlite, (parameter: QueryParameter<HeldLease>) =>
    db
      .selectFrom('leases')
      .select('domain_id')
      .where((lease) => isHeld(lease, parameter)),
  );
  const extendLeases = prepare(sqlite, (parameter: QueryParameter<Pick<Lease, 'owner' | 'expires'>>) =>
    db
      .updateTable('leases')
      .set({ expires: parameter('expires') })
      .where('owner', '=', parameter('owner')),
  );
  const deleteLease = prepare(sqlite, (parameter: QueryParameter<HeldLease>) =>
    db.deleteFrom('leases').where((lease) => isHeld(lease, parameter)),
  );
  const deleteLeases = prepare(sqlite, (parameter: QueryParameter<Pick<Lease, 'owner'>>) =>
    db.deleteFrom('leases').where('owner', '=', parameter('owner')),
  );

  const pick = createPicker(sqlite, db);
  const defer = createDeferral(sqlite, db);
  const deferFirstVisit = createFirstVisitDeferral(sqlite, db, defer);
  const { advanceVirtualTime } = createSourceQueues(sqlite, db);

  let lastToken = 0;
  const readDomains = (ids: readonly number[]) => {
    const rows = new Map(findDomains.all({ ids: JSON.stringify(ids) }).map((row) => [row.id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []);
  };
  const leaseOne = (row: ReturnType<typeof readDomains>[number], at: number): LeasedDomain => {
    lastToken += 1;
    insertLease.run({ id: row.id, owner, token: lastToken, expires: at + leaseMs });
    return { record: toDomainRecord(row), leaseToken: lastToken, postponements: row.postponements };
  };
  const leaseDue = (limit: number, at: number): LeasedDomain[] => {
    const leasedDomains: LeasedDomain[] = [];
    let virtualTime = 0;
    let deferred = 1;
    for (let round = 0; round < MAX_ROUNDS && deferred > 0; round += 1) {
      deferred = 0;
      for (const row of readDomains(pick(limit - leasedDomains.length, at))) {
        virtualTime = Math.max(virtualTime, row.rank ?? 0);
        if (deferFirstVisit(row, at)) deferred += 1;
        else leasedDomains.push(leaseOne(row, at));
      }
    }
    advanceVirtualTime(virtualTime);
    return leasedDomains;
  };
  const lease = sqlite.transaction((limit: number, at: number, only: string | null): LeasedDomain[] => {
    lostLeases.reclaimExpired(owner, at);
    if (only === null) return leaseDue(limit, at);
    const due = dueAmong.all({ only, at, limit }).map(({ id }) => id);
    return readDomains(due).map((row) => leaseOne(row, at));
  });
  const release = sqlite.transaction((domains: Parameters<Leases['release']>[0]) => {
    for (const { record, leaseToken } of domains) deleteLease.run({ domain: record.domain, owner, token: leaseToken });
  });

  // The visit ended normally, so earlier lost leases no longer count.
  const countPostponement = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db
      .updateTable('domains')
      .set((row) => ({ postponements: row('postponements', '+', 1), leases_lost: 0 }))
      .where('id', '=', parameter('id')),
  );
  const postpone = sqlite.transaction(({ record, leaseToken }: LeasedDomain, visit: Parameters<Defer>[1]) => {
    const heldLease = { domain: record.domain, owner, token: leaseToken };
    const row = findHeld.get(heldLease);
    if (row === undefined) return;
    defer(row.domain_id, visit);
    countPostponement.run({ id: row.domain_id });
    deleteLease.run(heldLease);
  });

  return {
    lease: (limit, at, { only } = {}) => lease.immediate(limit, at, only === undefined ? null : toJson(only)),
    holds: ({ record, leaseToken }) => findHeld.get({ domain: record.domain, owner, token: leaseToken }) !== undefined,
    renew: (at) => {
      extendLeases.run({ owner, expires: at + leaseMs });
    },
    release: (domains) => release.immediate(domains),
    postpone: (lease, visit) => postpone.immediate(lease, visit),
    abandonLeases: (domains, at) => {
      const leases = domains.map(({ record, leaseToken }) => ({ domain: record.domain, token: leaseToken }));
      lostLeases.reclaimLeases(owner, leases, at);
    },
    releaseAll: () => {
      deleteLeases.run({ owner });
    },
    nextRetryAfterLostLease(at, { only } = {}) {
      const row = only === undefined ? nextLost.get({ at }) : nextLostAmong.get({ only: toJson(only), at });
      return row?.nextVisit ?? null;
    },
  };
}

function toJson(domains: Iterable<string>): string {
  return JSON.stringify([...domains]);
}
