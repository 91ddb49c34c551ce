import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';

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

/** Reads the last visit of a host under any of its names: with any port, with or without `www.`. */
export function createLastVisitUnderAnyNameReader(sqlite: Sqlite, db: Compiler): StoreReader['lastVisitUnderAnyName'] {
  const last = prepare(sqlite, (parameter: QueryParameter<NameRange & { upTo: number }>) =>
    selectLastUnderAnyName(db, parameter),
  );
  return (name, upTo) => last.get({ ...nameRangeOf(name), upTo })?.at ?? null;
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
