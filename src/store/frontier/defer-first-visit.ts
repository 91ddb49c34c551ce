import { type Selectable, sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { DomainsTable } from '../schema/domains-table.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { ofSite, type SiteRange, siteRangeOf } from '../visits/read-site-visits.ts';
import { createRescheduleKeeper } from './keep-reschedule.ts';

/** A first visit is so long after any visit of another name of its site. */
const APART_MS = 3_600_000;
/** And is planned for a little later, so that one which begins late moves none of those that wait behind it. */
const SLACK_MS = 300_000;
const WHY = 'another name of its host comes first, an hour apart';

type Due = Pick<Selectable<DomainsTable>, 'id' | 'domain' | 'last_visit' | 'requested'>;

/**
 * Defers the first visit of a due domain when another name of its site (the host under any port, with `www.` or without) was visited
 * within the hour or is being visited, behind the names of the site that wait already; answers whether it did. An attacker who makes up names of somebody else's host, or leads to them, can thus have it visited once an hour. A name that the site
 * itself leads to from another of its names is visited at once, as is a domain that was asked for by name; later visits keep their cadence.
 * Runs inside the transaction of the lease.
 */
export type DeferFirstVisit = (due: Due, at: number) => boolean;

export function createFirstVisitDeferral(sqlite: Sqlite, db: Compiler): DeferFirstVisit {
  const others = prepare(sqlite, (value: Placeholder<Others>) => selectOthersOfSite(db, value));
  const move = prepare(sqlite, (value: Placeholder<{ id: number; nextVisit: number }>) =>
    db
      .updateTable('domains')
      .set({ next_visit: value('nextVisit'), next_visit_why: WHY, rank: null })
      .where('id', '=', value('id')),
  );
  const keepReschedule = createRescheduleKeeper(sqlite, db);
  return ({ id, domain, last_visit, requested }, at) => {
    if (last_visit !== null || requested === 1) return false;
    const found = others.get({ ...siteRangeOf(domain), id, domain, at, since: at - APART_MS });
    if (found === undefined || found.visited === null || found.leads === 1) return false;
    move.run({ id, nextVisit: Math.max(found.visited, found.waiting ?? 0) + APART_MS + SLACK_MS });
    keepReschedule({ id, at, cause: 'deferred' });
    return true;
  };
}

type Others = SiteRange & { id: number; domain: Domain; at: number; since: number };

/**
 * Of the other names of a site: when one was last visited after `since`, those being visited now; until when the last of them waits for its
 * first visit; and whether one leads to `domain`.
 */
export const selectOthersOfSite = (db: Compiler, value: Placeholder<Others>) =>
  ofSite(db, value)
    .select([
      sql<number | null>`max(case
        when lease_owner is not null then cast(${value('at')} as integer)
        when last_visit > ${value('since')} and last_visit <= ${value('at')} then last_visit
      end)`.as('visited'),
      sql<number | null>`max(case
        when last_visit is null and lease_owner is null and next_visit > ${value('at')} then next_visit
      end)`.as('waiting'),
      sql<0 | 1 | null>`max(${value('domain')} in (ifnull(alias_of, ''), ifnull(points_to, '')))`.as('leads'),
    ])
    .where('id', '<>', value('id'));
