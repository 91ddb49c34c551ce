import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { Database } from '../schema/database.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { createSourceQueues } from './source-queues.ts';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * The wait of a domain after the given number of leases lost in a row. There is no wait after the first, because most domains that were
 * being visited when a process died did not cause its death. The wait is 1 s after the second and doubles with each further one, up to
 * 30 days, so that a host whose visit crashes the process cannot do so in a hot loop.
 */
export function waitAfterLostLeasesMs(leasesLost: number): number {
  return leasesLost < 2 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (leasesLost - 2), MAX_WAIT_MS);
}

export interface LostLeases {
  /** Reclaims expired leases of all owners but `owner`, which can still record or renew its own. */
  reclaimExpired(owner: string, at: number): number;
  /** Reclaims every lease of a dead owner. */
  reclaimFrom(owner: string, at: number): number;
  /** Reclaims some leases of a living owner. */
  reclaimLeases(owner: string, leases: readonly { domain: Domain; token: number }[], at: number): number;
  /** All owners that hold a lease. */
  owners(): string[];
}

/** Leased domains. */
const selectLeased = (db: Compiler) =>
  db
    .selectFrom('leases')
    .innerJoin('domains', 'domains.id', 'leases.domain_id')
    .select([
      'domains.id',
      'leases_lost as leasesLost',
      'next_visit as nextVisit',
      'next_visit_why as why',
      'rank',
      'queued_for_source_id as source',
      'reported_loops as reportedLoops',
    ]);

/** Identifies a lease that an owner may still hold, see {@link isHeld}. */
export interface HeldLease {
  owner: string;
  token: number;
  domain: Domain;
}

export const isHeld = (
  lease: ExpressionBuilder<Database, 'leases'>,
  parameter: QueryParameter<HeldLease>,
): Expression<SqlBool> =>
  lease.and([
    lease('leases.domain_id', '=', (query) =>
      query.selectFrom('domains').select('id').where('domain', '=', parameter('domain')),
    ),
    lease('owner', '=', parameter('owner')),
    lease('token', '=', parameter('token')),
  ]);

/** Reclaims lost leases, which count against their domains. Each reclaiming method returns the number of leases. */
export function createLostLeases(sqlite: Sqlite, db: Compiler): LostLeases {
  const expiredLeases = prepare(sqlite, (parameter: QueryParameter<{ owner: string; at: number }>) =>
    selectLeased(db).where('owner', '<>', parameter('owner')).where('expires', '<=', parameter('at')),
  );
  const leasesOf = prepare(sqlite, (parameter: QueryParameter<{ owner: string }>) =>
    selectLeased(db).where('owner', '=', parameter('owner')),
  );
  const findLease = prepare(sqlite, (parameter: QueryParameter<HeldLease>) =>
    selectLeased(db).where((lease) => isHeld(lease, parameter)),
  );
  const owners = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('leases').select('owner').distinct(),
  );
  const deleteLease = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.deleteFrom('leases').where('domain_id', '=', parameter('id')),
  );
  const deferDomain = prepare(
    sqlite,
    (
      parameter: QueryParameter<{
        id: number;
        leasesLost: number;
        nextVisit: number | null;
        why: string | null;
        rank: number | null;
      }>,
    ) =>
      db
        .updateTable('domains')
        .set({
          leases_lost: parameter('leasesLost'),
          next_visit: parameter('nextVisit'),
          next_visit_why: parameter('why'),
          rank: parameter('rank'),
        })
        .where('id', '=', parameter('id')),
  );

  const queues = createSourceQueues(sqlite, db);
  const takeRankAtEnd = (source: number | null, isReportedLoops: boolean): number => {
    const queue = queues.open(source, isReportedLoops);
    const rank = queue.take();
    queue.save();
    return rank;
  };

  const reclaimRows = (rows: ReturnType<typeof leasesOf.all>, at: number): number => {
    for (const { id, leasesLost, nextVisit, why, rank, source, reportedLoops } of rows) {
      const lost = leasesLost + 1;
      const waitMs = waitAfterLostLeasesMs(lost);
      deleteLease.run({ id });
      deferDomain.run({
        id,
        leasesLost: lost,
        // Even without a wait the domain goes to the end of its queue, so that repeated crashes do not always hit the same domains.
        nextVisit: nextVisit === null ? null : at + waitMs,
        why: waitMs === 0 ? why : `${lost} visits in a row were cut off before they ended`,
        rank: rank === null || waitMs > 0 ? null : takeRankAtEnd(source, reportedLoops === 1),
      });
    }
    return rows.length;
  };

  return {
    reclaimExpired: (owner, at) => reclaimRows(expiredLeases.all({ owner, at }), at),
    reclaimFrom: sqlite.transaction((owner: string, at: number) => reclaimRows(leasesOf.all({ owner }), at)).immediate,
    reclaimLeases: sqlite.transaction(
      (owner: string, leases: readonly { domain: Domain; token: number }[], at: number) =>
        reclaimRows(
          leases.flatMap((lease) => findLease.get({ owner, ...lease }) ?? []),
          at,
        ),
    ).immediate,
    owners: () => owners.all({}).map(({ owner }) => owner),
  };
}
