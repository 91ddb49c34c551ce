import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import { optOutScopeOf } from '../domain/opt-out-names.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';
import type { StoreReader } from './store-reader.ts';

/** The two names of a site, and what follows all of their names with a port: ";" is the character after ":". */
interface Range {
  bare: string;
  beyondBare: string;
  twin: string;
  beyondTwin: string;
  upTo: number;
}

/** Reads when a site was last visited: a host under any port, with `www.` or without. */
export function createSiteReader(sqlite: Sqlite, db: Compiler): StoreReader['lastVisitOfSite'] {
  const last = prepare(sqlite, (value: Placeholder<Range>) => selectLastOfSite(db, value));
  return (name, upTo) => {
    const { bare, twin } = optOutScopeOf(name);
    return last.get({ bare, beyondBare: `${bare};`, twin, beyondTwin: `${twin};`, upTo })?.at ?? null;
  };
}

export const selectLastOfSite = (db: Compiler, value: Placeholder<Range>) => {
  const visitsOf = (name: 'bare' | 'twin', beyond: 'beyondBare' | 'beyondTwin') => {
    const visited = () => db.selectFrom('domains').select('last_visit').where('last_visit', '<=', value('upTo'));
    return visited()
      .where('domain', '=', sql<Domain>`${value(name)}`)
      .unionAll(
        visited()
          .where('domain', '>', sql<Domain>`${value(name)} || ':'`)
          .where('domain', '<', sql<Domain>`${value(beyond)}`),
      );
  };
  return db
    .selectFrom(visitsOf('bare', 'beyondBare').unionAll(visitsOf('twin', 'beyondTwin')).as('visits'))
    .select((row) => row.fn.max('last_visit').as('at'));
};
