import { sql } from 'kysely';
import { type Compiler, prepare, prepareTuples, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Backlog, Lane, StoreReader } from '../store-reader.ts';

/** Relative share of each priority lane in a call of `lease` while all lanes have due domains. */
export const laneWeights = { live: 8, new: 8, known: 3, dead: 1 } as const satisfies Readonly<Record<Lane, number>>;

/** For queries over `domains`: a column that is 1 for leased domains, and a condition that excludes them. */
export const isLeased = sql<0 | 1>`domains.id in (select domain_id from leases)`;
export const isUnleased = sql<boolean>`domains.id not in (select domain_id from leases)`;

/** A limit that no number of domains reaches. */
const NO_LIMIT = 2 ** 52;

function byLane<Made>(make: (lane: Lane) => Made): Record<Lane, Made> {
  return { live: make('live'), new: make('new'), known: make('known'), dead: make('dead') };
}

/** Picks the ids of at most `limit` due, unleased domains, in the order in which to visit them. */
export function createPicker(sqlite: Sqlite, db: Compiler): (limit: number, at: number) => number[] {
  const due = byLane((lane) =>
    prepareTuples<{ at: number; limit: number }, [id: number]>(sqlite, (parameter) => selectDue(db, lane, parameter)),
  );
  const takeByWeight = createWeightedRoundRobin(laneWeights);
  return (limit, at) =>
    takeByWeight(
      limit,
      byLane((lane) => due[lane]({ at, limit }).map(([id]) => id)),
    );
}

/** Counts due, unleased domains by lane. */
export function createBacklogReader(sqlite: Sqlite, db: Compiler): StoreReader['backlog'] {
  const counts = byLane((lane) =>
    prepare(sqlite, (parameter: QueryParameter<{ at: number; most: number }>) => selectBacklog(db, lane, parameter)),
  );
  return (at, most = NO_LIMIT): Backlog => byLane((lane) => counts[lane].get({ at, most }) ?? { due: 0, oldest: null });
}

/** Due, unleased domains of a lane in order: new domains by rank, others by the time of their next visit. */
const dueIn = (db: Compiler, lane: Lane, parameter: QueryParameter<{ at: number }>) => {
  const due = db
    .selectFrom('domains')
    .where(isUnleased)
    .where('lane', '=', sql.lit(lane))
    .where('next_visit', '<=', parameter('at'))
    .orderBy('due_order')
    .orderBy('next_visit')
    .orderBy('id');
  // In all lanes but `new`, `due_order` is the next visit: the condition lets SQLite stop at the first domain that is not due.
  return lane === 'new' ? due : due.where('due_order', '<=', parameter('at'));
};

export const selectDue = (db: Compiler, lane: Lane, parameter: QueryParameter<{ at: number; limit: number }>) =>
  dueIn(db, lane, parameter).select('id').limit(parameter('limit'));

/** The number of due domains in a lane, counted up to `most`, and the earliest due time among them. */
export const selectBacklog = (db: Compiler, lane: Lane, parameter: QueryParameter<{ at: number; most: number }>) =>
  db
    .selectFrom(dueIn(db, lane, parameter).select('next_visit').limit(parameter('most')).as('waiting'))
    .select((row) => [row.fn.countAll<number>().as('due'), row.fn.min('next_visit').as('oldest')]);

/** Due domains among those in a JSON list, of any lane; each is looked up by name. */
export const selectDueAmong = (db: Compiler, parameter: QueryParameter<{ only: string; at: number; limit: number }>) =>
  db
    .selectFrom('domains')
    .select('id')
    .where(isUnleased)
    .where('domain', 'in', sql<never>`(select value from json_each(${parameter('only')}))`)
    // The unary plus prevents SQLite from scanning all due domains by index.
    .where(sql<number>`+next_visit`, '<=', parameter('at'))
    .orderBy('next_visit')
    .orderBy('id')
    .limit(parameter('limit'));

/** The earliest next visit among the domains that wait after a lost lease. */
export const selectNextLostLease = (db: Compiler, parameter: QueryParameter<{ at: number }>) =>
  db
    .selectFrom('domains')
    .select('next_visit as nextVisit')
    .where('leases_lost', '>', sql.lit(0))
    .where(isUnleased)
    .where('next_visit', '>', parameter('at'))
    .orderBy('next_visit')
    .limit(sql.lit(1));

/** {@link selectNextLostLease} among the domains in a JSON list. */
export const selectNextLostLeaseAmong = (db: Compiler, parameter: QueryParameter<{ only: string; at: number }>) =>
  selectNextLostLease(db, parameter as QueryParameter<{ at: number }>).where(
    'domain',
    'in',
    sql<never>`(select value from json_each(${parameter('only')}))`,
  );

/** Takes at most `places` items from the queues in turn, by weight; each queue keeps its own order. */
type WeightedRoundRobin<Key extends string> = <Item>(
  places: number,
  queues: Readonly<Record<Key, readonly Item[]>>,
) => Item[];

/**
 * Smooth weighted round robin, the algorithm of nginx upstreams. Credit is carried over between calls, so that the shares also hold for
 * calls with a single place. An empty queue loses its credit, and the others divide its share.
 */
export function createWeightedRoundRobin<Key extends string>(
  weights: Readonly<Record<Key, number>>,
): WeightedRoundRobin<Key> {
  const keys = Object.keys(weights) as Key[];
  const credit = new Map<Key, number>();
  return (places, queues) => {
    const served: (typeof queues)[Key][number][] = [];
    const position = new Map<Key, number>();
    for (const key of keys) if (queues[key].length === 0) credit.delete(key);
    while (served.length < places) {
      let best: Key | null = null;
      let total = 0;
      for (const key of keys) {
        if ((position.get(key) ?? 0) === queues[key].length) continue;
        credit.set(key, (credit.get(key) ?? 0) + weights[key]);
        total += weights[key];
        if (best === null || (credit.get(key) ?? 0) > (credit.get(best) ?? 0)) best = key;
      }
      if (best === null) break;
      const index = position.get(best) ?? 0;
      served.push(queues[best][index] as (typeof served)[number]);
      position.set(best, index + 1);
      credit.set(best, (credit.get(best) ?? 0) - total);
    }
    return served;
  };
}
