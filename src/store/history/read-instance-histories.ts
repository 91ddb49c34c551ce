import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { DailyUsage, UsageSample } from '../../model/facts/usage-sample.ts';
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

/** Yields the last sample of each day (UTC), given samples in order of time. Compaction (`retention.usageDays`) keeps the same ones. */
function* lastOfEachDay<Sample extends { at: number }>(samples: Iterable<Sample>): Iterable<Sample> {
  let last: Sample | null = null;
  for (const sample of samples) {
    if (last !== null && Math.floor(last.at / DAY_MS) !== Math.floor(sample.at / DAY_MS)) yield last;
    last = sample;
  }
  if (last !== null) yield last;
}

type Nothing = Record<never, never>;
type OfDomain = { id: number };
/** From `from` up to, but not including, `before`. */
type Period = OfDomain & { from: number; before: number };

export type InstanceHistoryReader = Pick<StoreReader, 'histories' | 'usageMonths' | 'usage'>;

const EVER = { from: Number.MIN_SAFE_INTEGER, before: Number.MAX_SAFE_INTEGER };

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
  const changes = createIteration(() =>
    prepare(sqlite, (parameter: QueryParameter<OfDomain>) => selectChangesForward(db, parameter)),
  );
  const usage = prepare(sqlite, (parameter: QueryParameter<Period>) => selectUsageForward(db, parameter));
  const endsOfUsage = prepare(sqlite, (parameter: QueryParameter<OfDomain>) => selectEndsOfUsage(db, parameter));

  const usageOf = (period: Period): Iterable<UsageSample> => lastOfEachDay(read(() => usage.all(period)));

  return {
    *histories(isWanted = () => true) {
      for (const row of stream(() => instances({}))) {
        if (!isWanted(row.domain)) continue;
        const { id } = row;
        yield read(() => ({
          record: toDomainRecord(row),
          facts: toKnownFacts(row).facts,
          changes: () => stream(() => changes({ id }), toChange),
          usage: () => usageOf({ id, ...EVER }),
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
    *usage(month) {
      const period = { from: startOf(month), before: startOf(monthAfter(month)) };
      for (const { id, domain } of stream(() => names({}))) yield* withDomain(domain, usageOf({ id, ...period }));
    },
  };
}

function* withDomain(domain: Domain, samples: Iterable<UsageSample>): Iterable<DailyUsage> {
  for (const sample of samples) yield { domain, ...sample };
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

export const selectUsageForward = (db: Compiler, parameter: QueryParameter<Period>) =>
  db
    .selectFrom('usage')
    .select(['at', ...selectedCounts])
    .where('domain_id', '=', parameter('id'))
    .where('at', '>=', parameter('from'))
    .where('at', '<', parameter('before'))
    .orderBy('at')
    .orderBy('visit_id');

export const selectEndsOfUsage = (db: Compiler, parameter: QueryParameter<OfDomain>) =>
  db
    .selectFrom('usage')
    .select((row) => [row.fn.min<number | null>('at').as('first'), row.fn.max<number | null>('at').as('last')])
    .where('domain_id', '=', parameter('id'));
