import { sql } from 'kysely';
import type { DomainState } from '../../model/domain-record.ts';
import { createBacklogReader } from '../frontier/pick-domains.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { NamedCount, StoreCounts } from '../store-reader.ts';
import { listed } from './listed.ts';

type Nothing = Record<never, never>;
const MAX_NAMES = 50;

export function createDomainCounter(sqlite: Sqlite, db: Compiler): (at: number) => StoreCounts {
  const groups = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db
      .selectFrom('domains')
      .select(['state', 'verdict', 'reason', (row) => row.fn.countAll<number>().as('count')])
      .groupBy(['state', 'verdict', 'reason']),
  );
  const software = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db
      .selectFrom('domains')
      .select([sql<string>`software`.as('name'), (row) => row.fn.countAll<number>().as('count')])
      .where('software', 'is not', null)
      .groupBy('software')
      .orderBy('count', 'desc')
      .orderBy('software')
      .limit(MAX_NAMES),
  );
  const versions = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db
      .selectFrom('domains')
      .select([sql<string>`version`.as('name'), (row) => row.fn.countAll<number>().as('count')])
      .where('version', 'is not', null)
      .where(listed)
      .groupBy('version')
      .orderBy('count', 'desc')
      .orderBy('version')
      .limit(MAX_NAMES),
  );
  const listedCount = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db
      .selectFrom('domains')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where(listed),
  );
  const backlog = createBacklogReader(sqlite, db);
  return (at) => {
    const rows = groups.all({});
    return {
      domains: rows.reduce((total, { count }) => total + count, 0),
      byState: tally<DomainState>(rows.map(({ state, count }) => ({ name: state, count }))),
      byVerdict: tally(rows.flatMap(({ verdict, count }) => (verdict === null ? [] : { name: verdict, count }))),
      byReason: sortByCount(
        tally(rows.flatMap(({ reason, count }) => (reason === null ? [] : { name: reason, count }))),
      ),
      listed: listedCount.get({})?.count ?? 0,
      due: Object.values(backlog(at)).reduce((total, { due }) => total + due, 0),
      software: software.all({}),
      versions: versions.all({}),
    };
  };
}

function tally<Name extends string>(counts: readonly NamedCount<Name>[]): Partial<Record<Name, number>> {
  const totals: Partial<Record<Name, number>> = {};
  for (const { name, count } of counts) totals[name] = (totals[name] ?? 0) + count;
  return totals;
}

function sortByCount<Name extends string>(totals: Partial<Record<Name, number>>): NamedCount<Name>[] {
  const counts = Object.entries<number | undefined>(totals).map(([name, count]) => ({
    name: name as Name,
    count: count ?? 0,
  }));
  return counts.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
