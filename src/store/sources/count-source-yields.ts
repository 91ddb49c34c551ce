import { sql } from 'kysely';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { SourceYield } from './source-state.ts';

type Nothing = Record<never, never>;
type Counts = Pick<SourceYield, 'domains' | 'visited' | 'loops' | 'onlyHere' | 'waiting'>;

/** Creates a function that counts the yields of all sources in one pass over their memberships, and returns a look-up by source. */
export function createYieldCounter(sqlite: Sqlite, db: Compiler): () => (source: number) => Counts {
  const isLoops = sql<number>`domains.identified_as = 'loops'`;
  const isOnlyHere = sql<number>`not exists (
    select 1 from domain_sources as other where other.domain_id = domains.id and other.source_id <> listed.source_id
  )`;
  const sum = (condition: typeof isLoops) => sql<number>`sum(ifnull(${condition}, 0))`;
  const counts = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db
      .selectFrom('domain_sources as listed')
      .crossJoin('domains')
      .whereRef('domains.id', '=', 'listed.domain_id')
      .select('listed.source_id as source')
      .select((row) => row.fn.countAll<number>().as('domains'))
      .select(sum(sql`domains.last_visit is not null`).as('visited'))
      .select(sum(isLoops).as('loops'))
      .select(sum(sql`${isLoops} and ${isOnlyHere}`).as('onlyHere'))
      .groupBy('listed.source_id'),
  );
  const waiting = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db
      .selectFrom('domains')
      .select(['queued_for_source_id as source', (row) => row.fn.countAll<number>().as('count')])
      .where('last_visit', 'is', null)
      .where('queued_for_source_id', 'is not', null)
      .groupBy('queued_for_source_id'),
  );

  return () => {
    const countsBySource = new Map(counts.all({}).map(({ source, ...sourceCounts }) => [source, sourceCounts]));
    const waitingBySource = new Map(waiting.all({}).map(({ source, count }) => [source, count]));
    return (source) => ({
      domains: 0,
      visited: 0,
      loops: 0,
      onlyHere: 0,
      ...countsBySource.get(source),
      waiting: waitingBySource.get(source) ?? 0,
    });
  };
}
