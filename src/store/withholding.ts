import { sql } from 'kysely';
import { createCoverage } from '../domain/opt-out-names.ts';
import { createWithholding, type Withholding } from '../domain/withhold-names.ts';
import type { Compiler } from './compiler.ts';
import { createOptedOutLookUp } from './opted-out.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

type Nothing = Record<never, never>;

export interface StoredWithholding extends Withholding {
  /** The same by a list of all opt-outs that is read now: for much to look through. */
  ofNow(): Withholding;
  /** Whether anybody has opted out since a time, or shortly before; what was read then may name them. */
  isNewsSince(at: number): boolean;
}

/** So many names are looked up one by one; for more, every opt-out is read. */
const FEW_NAMES = 100;
/** An opt-out has the time at which it was asked for, and it is made when the database is free. */
const SLACK_MS = 600_000;

/** Replaces the names of those who have opted out by what the database holds when it is asked. */
export function createStoredWithholding(sqlite: Sqlite, db: Compiler): StoredWithholding {
  const optedOut = () => db.selectFrom('domains').where('state', '=', sql.lit('opted-out' as const));
  const latest = prepare(sqlite, (_value: Placeholder<Nothing>) =>
    optedOut().select('state_since').orderBy('state_since', 'desc').limit(sql.lit(1)),
  );
  const all = prepare(sqlite, (_value: Placeholder<Nothing>) => optedOut().select('domain'));
  const isOptedOut = createOptedOutLookUp(sqlite, db);
  const hasOptOuts = () => latest.get({}) !== undefined;
  const coverage = () => createCoverage(all.all({}).map(({ domain }) => domain));
  return {
    ...createWithholding(
      (names) => names.filter(names.length > FEW_NAMES ? coverage() : (name) => isOptedOut(name)),
      hasOptOuts,
    ),
    ofNow: () => {
      const isCovered = coverage();
      return createWithholding((names) => names.filter((name) => isCovered(name)), hasOptOuts);
    },
    isNewsSince: (at) => (latest.get({})?.state_since ?? Number.NEGATIVE_INFINITY) >= at - SLACK_MS,
  };
}
