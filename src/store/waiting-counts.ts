import { sql } from 'kysely';
import type { Compiler } from './compiler.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';

/** How long a count is believed; what is visited meanwhile is not noticed. */
const BELIEVED_MS = 10_000;
/** Of two sources that both have more waiting it does not matter which has fewer. */
const MOST_COMPARED = 10_000;

interface Counted {
  count: number;
  /** It was counted no further. */
  upTo: number;
  at: number;
}

/** How many new domains wait in the turn of each source, for their first visit; counted at most every 10 s, and kept in mind between. */
export interface WaitingCounts {
  /** Whether `most` wait already; 0 is no limit. */
  isFull(source: number, most: number, at: number): boolean;
  /** Whether fewer wait for a source than for another. 0 stands for no source. */
  isShorter(source: number, than: number, at: number): boolean;
  add(source: number, count: number): void;
  /** To be counted anew. */
  drop(source: number): void;
}

export function createWaitingCounts(sqlite: Sqlite, db: Compiler): WaitingCounts {
  const countUpTo = prepare(sqlite, (value: Placeholder<{ source: number | null; most: number }>) =>
    selectWaitingCount(db, value),
  );
  const counted = new Map<number, Counted>();

  const waiting = (source: number, upTo: number, at: number): number => {
    const before = counted.get(source);
    const age = before === undefined ? BELIEVED_MS : at - before.at;
    if (before !== undefined && age >= 0 && age < BELIEVED_MS && before.upTo >= upTo) return before.count;
    const count = countUpTo.get({ source: source === 0 ? null : source, most: upTo })?.count ?? 0;
    counted.set(source, { count, upTo, at });
    return count;
  };
  return {
    isFull: (source, most, at) => most > 0 && waiting(source, most, at) >= most,
    isShorter: (source, than, at) =>
      Math.min(waiting(source, MOST_COMPARED, at), MOST_COMPARED) <
      Math.min(waiting(than, MOST_COMPARED, at), MOST_COMPARED),
    add(source, count) {
      const known = counted.get(source);
      if (known !== undefined) known.count += count;
    },
    drop: (source) => {
      counted.delete(source);
    },
  };
}

/** Domains of a source that wait for their first visit, due or not, leased or not, counted up to `most`. */
export const selectWaitingCount = (db: Compiler, value: Placeholder<{ source: number | null; most: number }>) =>
  db
    .selectFrom(
      db
        .selectFrom('domains')
        .select(sql<number>`1`.as('one'))
        .where('turn_of', 'is', value('source'))
        .where('last_visit', 'is', null)
        .limit(value('most'))
        .as('waiting'),
    )
    .select((row) => row.fn.countAll<number>().as('count'));
