import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { listed, listedInstead, published } from '../read/listed.ts';
import { type Compiler, createIteration, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { ReadScope } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';

export type MembershipReader = Pick<StoreReader, 'memberships' | 'sourcesOf' | 'domainOrigins'>;

/** Reads the sources that list each domain. */
export function createMembershipReader(sqlite: Sqlite, db: Compiler, { read, stream }: ReadScope): MembershipReader {
  const instances = createIteration(() =>
    prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) => selectListedWithSources(db)),
  );
  const activeSources = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) => selectActive(db));
  const sourcesOfInstance = prepare(sqlite, (parameter: QueryParameter<{ id: number; domain: Domain }>) =>
    selectSourcesOfInstance(db, parameter),
  );
  const sourcesOf = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('domains')
      .innerJoin('domain_sources', 'domain_sources.domain_id', 'domains.id')
      .innerJoin('sources', 'sources.id', 'domain_sources.source_id')
      .select(['key', 'type', 'label', 'domain_sources.first_at as firstAt', 'domain_sources.software'])
      .where('domains.domain', '=', parameter('domain'))
      .orderBy('domain_sources.first_at')
      .orderBy('sources.id'),
  );
  const origins = prepare(sqlite, (parameter: QueryParameter<{ after: number; upTo: number }>) =>
    db
      .selectFrom('domains')
      .select(['domain', 'software', 'state', 'alias_of as aliasOf', 'canonical_host as canonicalHost'])
      .select((row) =>
        row
          .selectFrom('domain_sources')
          .innerJoin('sources', 'sources.id', 'domain_sources.source_id')
          .select('sources.key')
          .whereRef('domain_sources.domain_id', '=', 'domains.id')
          .orderBy('domain_sources.first_at')
          .orderBy('sources.id')
          .limit(sql.lit(1))
          .as('discoveredBy'),
      )
      .where('domains.id', '>', parameter('after'))
      .where('domains.id', '<=', parameter('upTo'))
      .where(published)
      .orderBy('domains.id'),
  );
  return {
    *memberships() {
      const active = new Map(read(() => activeSources.all({})).map(({ id, type }) => [id, `${type}-${id}`]));
      const sourceNamesOf = (ids: readonly number[]) => ids.flatMap((id) => active.get(id) ?? []);
      yield* stream(
        () => instances({}),
        ({ id, domain, sources, hasOtherNames }) => ({
          domain,
          sources:
            hasOtherNames === 1
              ? sourceNamesOf(sourcesOfInstance.all({ id, domain }).map(({ source }) => source))
              : sourceNamesOf(JSON.parse(sources) as number[]),
        }),
      );
    },
    sourcesOf: (domain) => read(() => sourcesOf.all({ domain })),
    domainOrigins: (after, upTo) => read(() => origins.all({ after, upTo })),
  };
}

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

/** Sources that are enabled in the settings, except those of the type `crawled`, whose lists come from the other sources. */
const selectActive = (db: Compiler) =>
  db
    .selectFrom('sources')
    .select(['id', 'type'])
    .where('type', '<>', sql.lit('crawled'))
    .where('inactive', '=', sql.lit(0));

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
