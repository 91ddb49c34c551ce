import { sql } from 'kysely';
import { createCoverage, optOutNamesOf } from '../domain/opt-out-names.ts';
import type { DomainState } from '../record/domain-state.ts';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** Answers whether an opt-out covers a host, with a port or without. */
export type IsOptedOut = (name: string) => boolean;

/** So many opt-outs are worth reading for the thousand names that one transaction looks up. */
const FEW = 1_000;

/** Those of the present, also for a reader of the past: an opt-out holds for what was, too. */
const present = sql<{ id: number; domain: string; state: DomainState }>`main.domains`.as('domains');

/** Asks the database, of four names at most; of none where nobody has opted out. */
export function createOptedOutLookUp(sqlite: Sqlite, db: Compiler): IsOptedOut {
  const optedOut = () =>
    db
      .selectFrom(present)
      .select('id')
      .where('state', '=', sql.lit('opted-out' as const));
  const any = prepare(sqlite, (_value: Placeholder<Record<never, never>>) => optedOut().limit(sql.lit(1)));
  type Names = { first: string; second: string; third: string; fourth: string };
  const covering = prepare(sqlite, (value: Placeholder<Names>) => {
    const names = sql.join([value('first'), value('second'), value('third'), value('fourth')]);
    // The plus keeps SQLite from walking every opt-out instead.
    return db
      .selectFrom(present)
      .select('id')
      .where(sql<boolean>`domain in (${names}) and +state = 'opted-out'`)
      .limit(sql.lit(1));
  });
  return (name) => {
    if (any.get({}) === undefined) return false;
    const [first, second, third, fourth] = optOutNamesOf(name);
    return covering.get({ first, second, third, fourth }) !== undefined;
  };
}

/** Makes a look-up of many names, which holds for the transaction that it is made in: where few have opted out, they are read at once. */
export function createOptedOutBulkLookUp(sqlite: Sqlite, db: Compiler): () => IsOptedOut {
  const isOptedOut = createOptedOutLookUp(sqlite, db);
  const some = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db
      .selectFrom(present)
      .select('domain')
      .where('state', '=', sql.lit('opted-out' as const))
      .limit(sql.lit(FEW + 1)),
  );
  return () => {
    const known = some.all({});
    if (known.length === 0) return () => false;
    return known.length > FEW ? isOptedOut : createCoverage(known.map(({ domain }) => domain));
  };
}
