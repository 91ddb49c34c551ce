import { sql } from 'kysely';
import { type Compiler, type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { createRescheduleWriter } from './reschedules.ts';

/** Rows per statement; a few milliseconds. */
const CHUNK = 10_000;

interface Waiting {
  lastVisit: number | null;
  nextVisit: number;
  /** From the last visit to the next as planned by that visit; null when there was no visit or it planned none. */
  waitMs: number | null;
}

/** Reschedules domains that were visited or entered while the clock was ahead. The recorded history is not changed. */
export function createClockRepair(sqlite: Sqlite, db: Compiler): Store['repairFutureTimestamps'] {
  const last = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db.selectFrom('domains').select((row) => row.fn.max('id').as('id')),
  );
  type Chunk = { at: number; from: number; to: number };
  const ahead = prepare(sqlite, (value: Placeholder<Chunk>) =>
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
      .where('id', '>', value('from'))
      .where('id', '<=', value('to'))
      .where(sql<boolean>`ifnull(last_visit, first_seen) > ${value('at')}`)
      .where('next_visit', '>', value('at')),
  );
  const move = prepare(sqlite, (value: Placeholder<{ id: number; nextVisit: number }>) =>
    db
      .updateTable('domains')
      .set({ next_visit: value('nextVisit') })
      .where('id', '=', value('id')),
  );
  const writeReschedule = createRescheduleWriter(sqlite, db);
  const repairChunk = sqlite.transaction((chunk: Chunk) => {
    let moved = 0;
    for (const row of ahead.all(chunk)) {
      const nextVisit = nextVisitAfter(row, chunk.at);
      if (nextVisit >= row.nextVisit) continue;
      move.run({ id: row.id, nextVisit });
      writeReschedule({ id: row.id, at: chunk.at, cause: 'clock' });
      moved += 1;
    }
    return moved;
  });
  return (at) => {
    let changed = 0;
    const end = last.get({})?.id ?? 0;
    for (let from = 0; from < end; from += CHUNK) changed += repairChunk.immediate({ at, from, to: from + CHUNK });
    return changed;
  };
}

/** The recorded interval, counted from `at`; idempotent. */
function nextVisitAfter({ lastVisit, nextVisit, waitMs }: Waiting, at: number): number {
  if (lastVisit === null) return at;
  if (waitMs !== null) return at + waitMs;
  // Without a recorded interval. A next visit before the last one has been repaired already.
  return nextVisit > lastVisit ? at + (nextVisit - lastVisit) : nextVisit;
}
