import { createLastVisitIdReader } from '../frontier/last-visit-id.ts';
import { createOfflineReader } from '../frontier/note-offline.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Reading } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';

export type LastVisitReader = Pick<StoreReader, 'lastVisit' | 'offlineSince' | 'visitStartedAt'>;

/** @param isPast the numbers that were given since are not of that moment. */
export function createLastVisitReader(
  sqlite: Sqlite,
  db: Compiler,
  { once }: Reading,
  isPast: boolean,
): LastVisitReader {
  const newest = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db.selectFrom('visits').select(['id', 'at', 'recorded_ms']).orderBy('id', 'desc').limit(1),
  );
  const startOfVisit = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.selectFrom('visits').select('at').where('id', '=', value('id')),
  );
  // Whoever was forgotten takes visits away; the numbers that were given never go down.
  const lastVisitId = createLastVisitIdReader(sqlite);
  const offlineSince = createOfflineReader(sqlite, db);
  return {
    lastVisit: () =>
      once(() => {
        const row = newest.get({});
        if (row === undefined) return null;
        const recordedAt = row.recorded_ms === null ? null : row.at + row.recorded_ms;
        return { id: isPast ? row.id : lastVisitId(), at: row.at, recordedAt };
      }),
    offlineSince: () => once(offlineSince),
    visitStartedAt: (id) => once(() => startOfVisit.get({ id })?.at ?? null),
  };
}
