import { sql } from 'kysely';
import { InstanceFlag } from '../../model/facts/instance-facts.ts';
import { monthAfter, startOf } from '../../model/month.ts';
import type { VisitOutcome } from '../../model/visit.ts';
import { published } from '../read/listed.ts';
import { type Compiler, createIteration, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { ReadScope } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';
import { changeColumns, toChange } from './changes.ts';
import { createBoundaryFinder } from './find-boundary.ts';
import { monthsBetween } from './months-between.ts';

type Nothing = Record<never, never>;
/** Visits with ids above `after` up to `upTo` that began from `from` up to, but not including, `before`. */
type VisitRange = { after: number; upTo: number; from: number; before: number };

/** Visits get ids when they are recorded, so id order can differ from start order: by minutes, or by more after a clock change. */
const SLACK_MS = 24 * 3_600_000;

export type BulkReader = Pick<StoreReader, 'changes' | 'visitMonths' | 'visits'>;

export function createBulkReader(sqlite: Sqlite, db: Compiler, { read, stream }: ReadScope): BulkReader {
  const changes = createIteration(() =>
    prepare(sqlite, (_parameter: QueryParameter<Nothing>) => selectPublishedChanges(db)),
  );
  const visits = createIteration(() =>
    prepare(sqlite, (parameter: QueryParameter<VisitRange>) => selectVisitOutcomes(db, parameter)),
  );
  const endOfLog = (direction: 'asc' | 'desc') =>
    prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
      db.selectFrom('visits').select('at').orderBy('id', direction).limit(1),
    );
  const [first, last] = [endOfLog('asc'), endOfLog('desc')];
  const boundaryOf = createBoundaryFinder(sqlite, db);

  return {
    changes: () =>
      stream(
        () => changes({}),
        (row) => ({ domain: row.domain, ...toChange(row) }),
      ),
    visitMonths: () => read(() => monthsBetween(first.get({})?.at ?? null, last.get({})?.at ?? null)),
    *visits(month) {
      const [from, before] = [startOf(month), startOf(monthAfter(month))];
      const range = read(() => ({ after: boundaryOf(from - SLACK_MS), upTo: boundaryOf(before + SLACK_MS) }));
      const toFlags = createFlagReader();
      yield* stream(
        () => visits({ ...range, from, before }),
        (row): VisitOutcome => ({
          id: row.id,
          domain: row.domain,
          at: row.at,
          durationMs: row.duration_ms,
          verdict: row.verdict,
          reason: row.reason,
          via: row.via,
          software: row.software,
          version: row.version,
          aliasOf: row.alias_of,
          state: row.state,
          flags: toFlags(row.flags),
        }),
      );
    },
  };
}

const Flags = InstanceFlag.array().readonly();

/** Caches parsed flags: millions of visits share a few distinct lists. */
function createFlagReader(): (json: string | null) => VisitOutcome['flags'] {
  const cache = new Map<string, VisitOutcome['flags']>();
  return (json) => {
    if (json === null) return null;
    const cached = cache.get(json);
    if (cached !== undefined) return cached;
    const flags = Flags.parse(JSON.parse(json));
    cache.set(json, flags);
    return flags;
  };
}

/** The changes of published domains in the order of recording. Its cross join, as the next one, forces SQLite to scan `domains` second. */
export const selectPublishedChanges = (db: Compiler) =>
  db
    .selectFrom('changes')
    .crossJoin('domains')
    .whereRef('domains.id', '=', 'changes.domain_id')
    .where(published)
    .select(['domains.domain', ...changeColumns])
    .orderBy('changes.id');

export const selectVisitOutcomes = (db: Compiler, parameter: QueryParameter<VisitRange>) =>
  db
    .selectFrom('visits')
    .crossJoin('domains')
    .leftJoin('fact_sets', 'fact_sets.id', 'visits.facts_id')
    .whereRef('domains.id', '=', 'visits.domain_id')
    .where('visits.id', '>', parameter('after'))
    .where('visits.id', '<=', parameter('upTo'))
    .where('visits.at', '>=', parameter('from'))
    .where('visits.at', '<', parameter('before'))
    .where(published)
    .select([
      'visits.id',
      'domains.domain',
      'visits.at',
      'duration_ms',
      'visits.verdict',
      'visits.reason',
      'visits.via',
      'visits.software',
      'visits.version',
      'visits.alias_of',
      'visits.state',
      sql<string | null>`json_extract(fact_sets.facts, '$.flags')`.as('flags'),
    ])
    .orderBy('visits.id');
