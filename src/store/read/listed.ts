import { type RawBuilder, sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';

/** Whether a row of `domains` may be published: its host has not asked for noindex. A condition for queries that join `domains`. */
export const published: RawBuilder<boolean> = sql<boolean>`ifnull(domains.noindex, 0) = 0`;

/** The last conclusive verdict is `loops`, the state is `active` or `failing`, and the domain may be published. */
const eligible = (table: 'domains' | 'other') => sql`
  ${sql.raw(table)}.identified_as = 'loops' and ${sql.raw(table)}.state in ('active', 'failing')
  and ifnull(${sql.raw(table)}.noindex, 0) = 0`;

/**
 * The other domain under which the instance of a row of `domains` is listed; null when there is none. Two eligible domains are one
 * instance in two cases:
 * - Each names the other as its canonical host. The one identified by config is listed, or else the one known for longer.
 * - Only one names the other, in its config, and both have the same registrable domain. The named one is listed.
 */
export const listedInstead: RawBuilder<Domain | null> = sql<Domain | null>`(
    select other.domain from domains as other
    where other.domain = domains.canonical_host and other.id <> domains.id and ${eligible('other')}
      and case
        when other.canonical_host is null
          then domains.via = 'config' and other.registrable_domain = domains.registrable_domain
        when other.canonical_host <> domains.domain then 0
        when (other.via = 'config') <> (domains.via = 'config') then other.via = 'config'
        when other.first_seen <> domains.first_seen then other.first_seen < domains.first_seen
        else other.domain < domains.domain
      end
  )`;

/** Whether a row of `domains` is in the directory. A condition for queries over `domains` alone or joined. */
export const listed: RawBuilder<boolean> = sql<boolean>`${eligible('domains')} and ${listedInstead} is null`;
