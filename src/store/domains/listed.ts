import { type RawBuilder, sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { InstanceFlag } from '../../model/facts/instance-facts.ts';
import type { Compiler } from '../sqlite/prepare.ts';

/** Whether a row of `domains` may be published: its host has not asked for noindex. A condition for queries that join `domains`. */
export const published: RawBuilder<boolean> = sql<boolean>`ifnull(domains.noindex, 0) = 0`;

/** The last conclusive verdict is `loops`, the state is `active` or `failing`, and the domain may be published. */
const eligible = (table: 'domains' | 'other') => sql`
  ${sql.raw(table)}.identified_as = 'loops' and ${sql.raw(table)}.state in ('active', 'failing')
  and ifnull(${sql.raw(table)}.noindex, 0) = 0`;

/** Whether the documents of a row of `domains` are those of its canonical host. */
const isCopy = sql`exists (
    select 1 from facts join fact_sets on fact_sets.id = facts.facts_id, json_each(fact_sets.facts, '$.flags') as flag
    where facts.domain_id = domains.id and flag.value = iif(
      domains.via = 'config',
      ${sql.lit('names-other-host' satisfies InstanceFlag)}, ${sql.lit('nodeinfo-other-host' satisfies InstanceFlag)})
  )`;

/**
 * The other domain whose instance a row of `domains` is; null when there is none. See `isSecondaryDomain`, which decides the same for the
 * past. Two eligible domains are one instance in three cases:
 * - Each names the other as its canonical host. The one identified by config is listed, or else the one known for longer.
 * - Only one names the other, in its config, the other names none, and either both have the same registrable domain, or the NodeInfo document
 *   of the one is that of the other too. The named one is listed.
 * - One is identified only by a NodeInfo document that the other serves, and the other names no third one, or has a config of its own. The
 *   other is the instance.
 */
export const listedInstead: RawBuilder<Domain | null> = sql<Domain | null>`(
    select other.domain from domains as other
    where other.domain = domains.canonical_host and other.id <> domains.id and ${eligible('other')}
      and case
        when other.canonical_host is null or other.canonical_host <> domains.domain then case
          when domains.via = 'nodeinfo'
            then (other.canonical_host is null or other.via = 'config') and ${isCopy}
          else other.canonical_host is null
            and (other.registrable_domain = domains.registrable_domain or ${isCopy})
        end
        when (other.via = 'config') <> (domains.via = 'config') then other.via = 'config'
        when other.first_seen <> domains.first_seen then other.first_seen < domains.first_seen
        else other.domain < domains.domain
      end
  )`;

/** Whether a row of `domains` is in the directory. A condition for queries over `domains` alone or joined. */
export const listed: RawBuilder<boolean> = sql<boolean>`${eligible('domains')} and ${listedInstead} is null`;

/** The published domains that were ever Loops, in the order of the index `domains_ever_loops`. */
export const everLoops = (db: Compiler) =>
  db
    .selectFrom('domains')
    .crossJoin('facts')
    .where('was_ever_loops', '=', sql.lit(1))
    .whereRef('facts.domain_id', '=', 'domains.id')
    .where(published)
    .orderBy('domains.domain');
