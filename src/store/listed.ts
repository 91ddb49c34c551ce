import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a row of `domains` is in the directory: found to be Loops at the last conclusive visit, not dead or gone, not asking
 * to be left out, and not the lesser of two instances that point at each other. Of those, the one that its own config names is
 * the instance, else the one known for longer. A condition for queries over `domains` alone or joined.
 */
export const listed: RawBuilder<boolean> = sql<boolean>`
  domains.conclusive = 'loops' and domains.state in ('active', 'failing') and ifnull(domains.noindex, 0) = 0
  and not exists (
    select 1 from domains as other
    where other.domain = domains.points_to and other.points_to = domains.domain
      and other.conclusive = 'loops' and other.state in ('active', 'failing') and ifnull(other.noindex, 0) = 0
      and case
        when (other.via = 'config') <> (domains.via = 'config') then other.via = 'config'
        when other.first_seen <> domains.first_seen then other.first_seen < domains.first_seen
        else other.domain < domains.domain
      end
  )`;
