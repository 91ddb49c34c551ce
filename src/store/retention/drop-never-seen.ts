import { sql } from 'kysely';
import { DAY_MS } from '../../model/time.ts';
import { isNotInProgress } from '../frontier/pick-domains.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';

/** `last_listed` of a dead domain is updated at this interval, not with every run of a source. */
export const LAST_LISTED_RESOLUTION_MS = 10 * DAY_MS;

interface DomainRange {
  from: number;
  to: number;
  /** Domains listed since then are not deleted. */
  before: number;
}

/**
 * Deletes dead domains that sources discovered, that never answered, whose name does not exist (NXDOMAIN), and that no source has listed
 * since `before`. Every source that listed such a domain must have been read, at least in part, since the domain was last listed: an
 * unchanged or inactive source does not show whether it still lists the domain.
 */
export const deleteNeverSeen = (db: Compiler, parameter: QueryParameter<DomainRange>) => {
  const listedAt = sql<number>`max(domains.state_since, ifnull(domains.last_listed, 0))`;
  return db
    .deleteFrom('domains')
    .where('id', '>', parameter('from'))
    .where('id', '<=', parameter('to'))
    .where('state', '=', sql.lit('dead' as const))
    .where('reason', '=', sql.lit('dns-nxdomain' as const))
    .where('was_ever_loops', '=', sql.lit(0))
    .where('identified_as', 'is', null)
    .where('last_seen', 'is', null)
    .where('discovered_by_source_id', 'is not', null)
    .where(isNotInProgress)
    .where(listedAt, '<', parameter('before'))
    .where(
      sql<boolean>`not exists (
        select 1 from domain_sources where domain_id = domains.id and not exists (
          select 1 from source_runs
          where source_runs.source_id = domain_sources.source_id and outcome in ('complete', 'partial')
            and begun_at > ${listedAt} + ${sql.lit(LAST_LISTED_RESOLUTION_MS)}
        )
      )`,
    );
};
