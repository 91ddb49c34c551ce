import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';

/** The two hosts of a site, with and without `www.`, and the upper bounds of their names with a port: ";" is the character after ":". */
export interface SiteRange {
  bare: string;
  beyondBare: string;
  withWww: string;
  beyondWww: string;
}

export function siteRangeOf(name: string): SiteRange {
  const { bare, withWww } = optOutScopeOf(name);
  return { bare, beyondBare: `${bare};`, withWww, beyondWww: `${withWww};` };
}

/** Reads the last visit of a site: a host with any port, with or without `www.`. */
export function createSiteReader(sqlite: Sqlite, db: Compiler): StoreReader['lastVisitOfSite'] {
  const last = prepare(sqlite, (parameter: QueryParameter<SiteRange & { upTo: number }>) =>
    selectLastOfSite(db, parameter),
  );
  return (name, upTo) => last.get({ ...siteRangeOf(name), upTo })?.at ?? null;
}

export const selectLastOfSite = (db: Compiler, parameter: QueryParameter<SiteRange & { upTo: number }>) =>
  ofSite(db, parameter)
    .select((row) => row.fn.max('last_visit').as('at'))
    .where('last_visit', '<=', parameter('upTo'));

/** The domains of a site, looked up by name. */
export const ofSite = (db: Compiler, parameter: QueryParameter<SiteRange>) => {
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
