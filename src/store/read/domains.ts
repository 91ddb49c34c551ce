import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { domainColumns } from '../visits/domain-row.ts';
import { published } from './listed.ts';

type Prefix = { prefix: string; end: string; limit: number };
type Ids = { after: number; upTo: number };

/** Published domains that begin with a text, in order. */
export const selectDomainsStartingWith = (db: Compiler, parameter: QueryParameter<Prefix>) =>
  db
    .selectFrom('domains')
    .select(domainColumns)
    .where('domain', '>=', sql<Domain>`${parameter('prefix')}`)
    .where('domain', '<', sql<Domain>`${parameter('end')}`)
    .where(published)
    .orderBy('domain')
    .limit(parameter('limit'));

/** Counts the published domains in a range of ids by state, verdict, reason and software. */
export const selectGroups = (db: Compiler, parameter: QueryParameter<Ids>) =>
  db
    .selectFrom('domains')
    .select(['state', 'verdict', 'reason', 'software', (row) => row.fn.countAll<number>().as('count')])
    .where('id', '>', parameter('after'))
    .where('id', '<=', parameter('upTo'))
    .where(published)
    .groupBy(['state', 'verdict', 'reason', 'software']);

/** The published domains in a range of ids, in the order of entry, with the first source that listed each. */
export const selectOrigins = (db: Compiler, parameter: QueryParameter<Ids>) =>
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
    .orderBy('domains.id');

/** A host without and with `www.`. The names of each with a port sort before its `beyond` bound, because ";" follows ":" in ASCII. */
export interface NameRange {
  bare: string;
  beyondBare: string;
  withWww: string;
  beyondWww: string;
}

export function nameRangeOf(name: string): NameRange {
  const { bare, withWww } = optOutScopeOf(name);
  return { bare, beyondBare: `${bare};`, withWww, beyondWww: `${withWww};` };
}

export const selectLastUnderAnyName = (db: Compiler, parameter: QueryParameter<NameRange & { upTo: number }>) =>
  underAnyName(db, parameter)
    .select((row) => row.fn.max('last_visit').as('at'))
    .where('last_visit', '<=', parameter('upTo'));

/** The domains of a host under any of its names. */
export const underAnyName = (db: Compiler, parameter: QueryParameter<NameRange>) => {
  const namesOf = (name: 'bare' | 'withWww', beyond: 'beyondBare' | 'beyondWww') => {
    const domains = () =>
      db.selectFrom('domains').select(['id', 'last_visit', 'next_visit', 'alias_of', 'canonical_host']);
    return domains()
      .where('domain', '=', sql<Domain>`${parameter(name)}`)
      .unionAll(
        domains()
          .where('domain', '>', sql<Domain>`${parameter(name)} || ':'`)
          .where('domain', '<', sql<Domain>`${parameter(beyond)}`),
      );
  };
  return db.selectFrom(namesOf('bare', 'beyondBare').unionAll(namesOf('withWww', 'beyondWww')).as('names'));
};
