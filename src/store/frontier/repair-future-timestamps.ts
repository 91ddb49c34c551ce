import { sql } from 'kysely';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';

/** Ids per transaction, which takes a few milliseconds. */
const CHUNK = 10_000;

const DAY_MS = 86_400_000;

interface MisdatedDomain {
  id: number;
  lastVisit: number | null;
  nextVisit: number;
  /** The interval from the last visit to the next, as planned at that visit; null without a last visit, or when it planned none. */
  waitMs: number | null;
}

/**
 * Reschedules domains that were visited or entered while the clock was ahead, or rescheduled while it was behind. The recorded history is
 * not changed.
 */
export function createClockRepair(sqlite: Sqlite, db: Compiler): Store['repairFutureTimestamps'] {
  const lastDomain = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('domains').select((row) => row.fn.max('id').as('id')),
  );
  type Chunk = { at: number; from: number; to: number };
  const findMisdated = prepare(sqlite, (parameter: QueryParameter<Chunk>) =>
    db
      .selectFrom('domains')
      .select(['id', 'last_visit as lastVisit', sql<number>`next_visit`.as('nextVisit')])
      .select((row) =>
        row
          .selectFrom('visits')
          .select(sql<number>`visits.next_visit - visits.at`.as('waitMs'))
          .whereRef('visits.domain_id', '=', 'domains.id')
          .whereRef('visits.at', '=', 'domains.last_visit')
          .orderBy('visits.id', 'desc')
          .limit(sql.lit(1))
          .as('waitMs'),
      )
      .where('id', '>', parameter('from'))
      .where('id', '<=', parameter('to'))
      .where((row) =>
        row.or([
          row.and([
            sql<boolean>`ifnull(last_visit, first_seen) > ${parameter('at')}`,
            row('next_visit', '>', parameter('at')),
          ]),
          // While the clock was behind, the next visit was scheduled at a time before the last one.
          row.and([row('last_visit', '<=', parameter('at')), row('next_visit', '<', row.ref('last_visit'))]),
        ]),
      ),
  );
  const move = prepare(sqlite, (parameter: QueryParameter<{ id: number; nextVisit: number }>) =>
    db
      .updateTable('domains')
      .set({ next_visit: parameter('nextVisit') })
      .where('id', '=', parameter('id')),
  );
  const repairChunk = sqlite.transaction((chunk: Chunk) => {
    let moved = 0;
    for (const row of findMisdated.all(chunk)) {
      const nextVisit = nextVisitAfter(row, chunk.at);
      const isLastVisitPast = row.lastVisit !== null && row.lastVisit <= chunk.at;
      // After a clock that was ahead, a visit is only moved to an earlier time.
      if (isLastVisitPast ? nextVisit === row.nextVisit : nextVisit >= row.nextVisit) continue;
      move.run({ id: row.id, nextVisit });
      moved += 1;
    }
    return moved;
  });
  return (at) => {
    let changed = 0;
    const lastId = lastDomain.get({})?.id ?? 0;
    for (let from = 0; from < lastId; from += CHUNK) changed += repairChunk.immediate({ at, from, to: from + CHUNK });
    return changed;
  };
}

/** The repaired next visit: the recorded interval after the last visit, or after `at` if the last visit is in the future. Idempotent. */
function nextVisitAfter({ id, lastVisit, nextVisit, waitMs }: MisdatedDomain, at: number): number {
  if (lastVisit === null) return at;
  // Without a recorded interval, a next visit before the last one is kept: it may have been repaired already.
  if (nextVisit < lastVisit && waitMs === null) return nextVisit;
  const wait = waitMs ?? nextVisit - lastVisit;
  if (lastVisit <= at) return lastVisit + wait;
  // A clock that was far ahead made all domains due at once, so their visits are spread over the interval.
  return at + (lastVisit - at > DAY_MS ? Math.round(wait * fractionOf(id)) : wait);
}

/** A number in [0, 1) that is spread evenly over consecutive ids (the golden ratio sequence). */
function fractionOf(id: number): number {
  return (id * 0.618_033_988_749_895) % 1;
}
