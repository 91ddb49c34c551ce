import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { listed, listedInstead } from '../read/listed.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { domainColumns } from '../visits/domain-row.ts';
import { runColumns } from './source-run-row.ts';

/** All known domains, each with the id, `first_at` and `last_at` of the sources that have listed it, as JSON. */
export const selectDomainsWithSources = (db: Compiler) =>
  db
    .selectFrom('domains')
    .select(domainColumns)
    .select(
      sql<string>`(
        select json_group_array(json_array(source_id, first_at, last_at)) from domain_sources where domain_id = domains.id
      )`.as('listings'),
    )
    .orderBy('domain');

const isLoops = sql<number>`domains.identified_as = 'loops'`;
const isOnlyHere = sql<number>`not exists (
  select 1 from domain_sources as other where other.domain_id = domains.id and other.source_id <> listed.source_id
)`;
const sum = (condition: typeof isLoops) => sql<number>`sum(ifnull(${condition}, 0))`;

/** The yields of all sources, counted in one pass over their memberships. */
export const selectYields = (db: Compiler) =>
  db
    .selectFrom('domain_sources as listed')
    .crossJoin('domains')
    .whereRef('domains.id', '=', 'listed.domain_id')
    .select('listed.source_id as source')
    .select((row) => row.fn.countAll<number>().as('domains'))
    .select(sum(sql`domains.last_visit is not null`).as('visited'))
    .select(sum(isLoops).as('loops'))
    .select(sum(sql`${isLoops} and ${isOnlyHere}`).as('onlyHere'))
    .groupBy('listed.source_id');

/** The number of unvisited domains in the queues of each source. */
export const selectWaiting = (db: Compiler) =>
  db
    .selectFrom('domains')
    .select(['queued_for_source_id as source', (row) => row.fn.countAll<number>().as('count')])
    .where('last_visit', 'is', null)
    .where('queued_for_source_id', 'is not', null)
    .groupBy('queued_for_source_id');

/** The last run of a source, of those with one of the outcomes. */
export const selectLastRun = (
  db: Compiler,
  parameter: QueryParameter<{ source: number }>,
  outcomes?: readonly ('complete' | 'unchanged')[],
) => {
  const runs = db
    .selectFrom('source_runs')
    .select(runColumns)
    .where('source_id', '=', parameter('source'))
    .orderBy('id', 'desc')
    .limit(sql.lit(1));
  if (outcomes === undefined) return runs;
  return runs.where(
    'outcome',
    'in',
    outcomes.map((outcome) => sql.lit(outcome)),
  );
};

/** The runs of a source, newest first. */
export const selectRunsOf = (db: Compiler, parameter: QueryParameter<{ key: string }>) =>
  db
    .selectFrom('source_runs')
    .select(runColumns)
    .where('source_id', '=', (row) => row.selectFrom('sources').select('id').where('key', '=', parameter('key')))
    .orderBy('id', 'desc');

/** The sources that list a domain, oldest listing first. */
export const selectSourcesOf = (db: Compiler, parameter: QueryParameter<{ domain: Domain }>) =>
  db
    .selectFrom('domains')
    .innerJoin('domain_sources', 'domain_sources.domain_id', 'domains.id')
    .innerJoin('sources', 'sources.id', 'domain_sources.source_id')
    .select(['source_id as id', 'key', 'type', 'label', 'domain_sources.software'])
    .select(['domain_sources.first_at as firstAt', 'domain_sources.last_at as readAt'])
    .where('domains.domain', '=', parameter('domain'))
    .orderBy('domain_sources.first_at')
    .orderBy('sources.id');

/** The listed instances with the sources of their domain; `hasOtherNames`: other domains may be names of the instance. */
export const selectListedWithSources = (db: Compiler) =>
  db
    .selectFrom('domains')
    .select(['id', 'domain'])
    .select(
      sql<string>`(
        select json_group_array(source_id) from (select source_id from domain_sources where domain_id = domains.id order by source_id)
      )`.as('sources'),
    )
    .select(
      sql<0 | 1>`(
        exists (select 1 from domains as alias where alias.alias_of = domains.domain)
        or exists (select 1 from domains as other where other.canonical_host = domains.domain and other.id <> domains.id)
      )`.as('hasOtherNames'),
    )
    .where(listed)
    .orderBy('domain');

/**
 * The sources that list an instance under any name: its listed domain, its other domain (see {@link listedInstead}), or an alias of these
 * over any number of redirects.
 */
export const selectSourcesOfInstance = (db: Compiler, parameter: QueryParameter<{ id: number; domain: Domain }>) => {
  const names = sql<{ id: number }>`(
    with recursive names(id, domain) as (
      select ${parameter('id')}, ${parameter('domain')}
      union
      select domains.id, domains.domain from domains
        where domains.canonical_host = ${parameter('domain')} and ${listedInstead} = ${parameter('domain')}
      union
      select alias.id, alias.domain from names cross join domains as alias
        where alias.alias_of = names.domain and alias.identified_as = 'alias'
    )
    select id from names
  )`;
  return db
    .selectFrom(names.as('names'))
    .crossJoin('domain_sources')
    .whereRef('domain_sources.domain_id', '=', 'names.id')
    .select('domain_sources.source_id as source')
    .distinct()
    .orderBy('source');
};
