import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { monthAfter, startOf } from '../../model/month.ts';
import { published } from '../read/listed.ts';
import { type Compiler, createIteration, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { ReadScope } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';
import { qualifiedDomainColumns, toDomainRecord } from '../visits/domain-row.ts';
import { factsColumns, toKnownFacts } from '../visits/facts-row.ts';
import { selectedCounts } from '../visits/usage.ts';
import { changeColumns, toChange } from './changes.ts';
import { monthsBetween } from './months-between.ts';

const DAY_MS = 86_400_000;

/**
 * Yields the last sample of each day (UTC) and domain, given samples in order of domain and time. Compaction (`retention.usageDays`) keeps
 * the same ones.
 */
function* lastOfEachDay<Sample extends { at: number; domain?: Domain }>(
  samples: Iterable<Sample>,
): IterableIterator<Sample> {
  let last: Sample | null = null;
  for (const sample of samples) {
    if (last !== null && (last.domain !== sample.domain || dayOf(last) !== dayOf(sample))) yield last;
    last = sample;
  }
  if (last !== null) yield last;
}

const dayOf = ({ at }: { at: number }) => Math.floor(at / DAY_MS);

type Nothing = Record<never, never>;
type OfDomain = { id: number };
/** From `from` up to, but not including, `before`. */
type Period = { from: number; before: number };

export type InstanceHistoryReader = Pick<StoreReader, 'histories' | 'usageMonths' | 'usage'>;

export function createInstanceHistoryReader(
  sqlite: Sqlite,
  db: Compiler,
  { read, stream }: ReadScope,
): InstanceHistoryReader {
  const instances = createIteration(() =>
    prepare(sqlite, (_parameter: QueryParameter<Nothing>) => selectEverLoops(db)),
  );
  const names = createIteration(() =>
    prepare(sqlite, (_parameter: QueryParameter<Nothing>) => selectNamesOfEverLoops(db)),
  );
  const changes = prepare(sqlite, (parameter: QueryParameter<OfDomain>) => selectChangesForward(db, parameter));
  const usage = prepare(sqlite, (parameter: QueryParameter<OfDomain>) => selectUsageForward(db, parameter));
  const usageOfAll = createIteration(() =>
    prepare(sqlite, (parameter: QueryParameter<Period>) => selectUsageOfAll(db, parameter)),
  );
  const endsOfUsage = prepare(sqlite, (parameter: QueryParameter<OfDomain>) => selectEndsOfUsage(db, parameter));

  return {
    *histories(isWanted = () => true) {
      for (const row of stream(() => instances({}))) {
        if (!isWanted(row.domain)) continue;
        const { id } = row;
        yield read(() => ({
          record: toDomainRecord(row),
          facts: toKnownFacts(row).facts,
          changes: () => read(() => changes.all({ id }).map(toChange)),
          usage: () => lastOfEachDay(read(() => usage.all({ id }))),
        }));
      }
    },
    usageMonths: () =>
      read(() => {
        const range: { first: number | null; last: number | null } = { first: null, last: null };
        for (const { id } of names({})) {
          const { first = null, last = null } = endsOfUsage.get({ id }) ?? {};
          if (first === null || last === null) continue;
          range.first = Math.min(range.first ?? first, first);
          range.last = Math.max(range.last ?? last, last);
        }
        return monthsBetween(range.first, range.last);
      }),
    usage(month) {
      const period = { from: startOf(month), before: startOf(monthAfter(month)) };
      return lastOfEachDay(stream(() => usageOfAll(period)));
    },
  };
}

/** The published domains that were ever Loops, in the order of the index `domains_ever_loops`. */
const everLoops = (db: Compiler) =>
  db
    .selectFrom('domains')
    .crossJoin('facts')
    .where('was_ever_loops', '=', sql.lit(1))
    .whereRef('facts.domain_id', '=', 'domains.id')
    .where(published)
    .orderBy('domains.domain');

export const selectNamesOfEverLoops = (db: Compiler) => everLoops(db).select(['domains.id', 'domains.domain']);

export const selectEverLoops = (db: Compiler) =>
  everLoops(db)
    .crossJoin('fact_sets')
    .whereRef('fact_sets.id', '=', 'facts.facts_id')
    .select(['domains.id', ...qualifiedDomainColumns])
    .select(factsColumns);

export const selectChangesForward = (db: Compiler, parameter: QueryParameter<OfDomain>) =>
  db.selectFrom('changes').select(changeColumns).where('domain_id', '=', parameter('id')).orderBy('at').orderBy('id');

export const selectUsageForward = (db: Compiler, parameter: QueryParameter<OfDomain>) =>
  db
    .selectFrom('usage')
    .select(['at', ...selectedCounts])
    .where('domain_id', '=', parameter('id'))
    .orderBy('at')
    .orderBy('visit_id');

/**
 * The rows of a domain come in the order of the primary key: time, then visit. With these columns in ORDER BY, SQLite would scan the index
 * of all domains.
 */
export const selectUsageOfAll = (db: Compiler, parameter: QueryParameter<Period>) =>
  everLoops(db)
    .crossJoin('usage')
    .whereRef('usage.domain_id', '=', 'domains.id')
    .where('usage.at', '>=', parameter('from'))
    .where('usage.at', '<', parameter('before'))
    .select(['domains.domain', 'usage.at', ...selectedCounts]);

export const selectEndsOfUsage = (db: Compiler, parameter: QueryParameter<OfDomain>) =>
  db
    .selectFrom('usage')
    .select((row) => [row.fn.min<number | null>('at').as('first'), row.fn.max<number | null>('at').as('last')])
    .where('domain_id', '=', parameter('id'));
