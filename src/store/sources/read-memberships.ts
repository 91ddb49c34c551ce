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
    prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) => selectListed(db)),
  );
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
    memberships: () =>
      stream(
        () => instances({}),
        ({ id, domain }) => ({
          domain,
          sources: sourcesOfInstance.all({ id, domain }).map(({ type, source }) => `${type}-${source}`),
        }),
      ),
    sourcesOf: (domain) => read(() => sourcesOf.all({ domain })),
    domainOrigins: (after, upTo) => read(() => origins.all({ after, upTo })),
  };
}

export const selectListed = (db: Compiler) =>
  db.selectFrom('domains').select(['id', 'domain']).where(listed).orderBy('domain');

/** The active sources that list an instance under any name: its domain, its second domain, or an alias over any number of redirects. */
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
    .crossJoin('sources')
    .whereRef('domain_sources.domain_id', '=', 'names.id')
    .whereRef('sources.id', '=', 'domain_sources.source_id')
    .where('sources.type', '<>', sql.lit('crawled'))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('source_inactive_periods')
            .select(sql.lit(1).as('one'))
            .whereRef('source_inactive_periods.source_id', '=', 'sources.id')
            .where('inactive_until', 'is', null),
        ),
      ),
    )
    .select(['sources.id as source', 'sources.type'])
    .distinct()
    .orderBy('sources.id');
};
