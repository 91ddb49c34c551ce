import { sql } from 'kysely';
import { z } from 'zod';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import { type Compiler, type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { createLastVisitIdReader } from './reschedules.ts';

const KEY = 'offline';

/** When we were last found to be offline, and the last visit recorded by then. */
const Offline = z.object({ at: z.number(), lastVisitId: z.number() });

export function createOfflineRecorder(sqlite: Sqlite, db: Compiler): (at: number) => void {
  const lastVisitId = createLastVisitIdReader(sqlite);
  const keep = createMetadataWriter<z.infer<typeof Offline>>(sqlite, db, KEY);
  return (at) => keep({ at, lastVisitId: lastVisitId() });
}

type After = { id: number };

/**
 * Answers when we were last found to be offline; null when a visit was answered since, or we never were. A visit to which nothing
 * answered, or that met a forbidden address, as behind a captive portal, says nothing of us. Of visits that were purged since, it is
 * taken that one was answered, where none is left.
 */
export function createOfflineReader(sqlite: Sqlite, db: Compiler): () => number | null {
  const lastVisitId = createLastVisitIdReader(sqlite);
  const noted = createMetadataReader(sqlite, db, KEY, Offline);
  const since = (isAnswered: boolean) =>
    prepare(sqlite, (value: Placeholder<After>) =>
      db
        .selectFrom('visits')
        .select('id')
        .where('id', '>', value('id'))
        .$if(isAnswered, (query) =>
          query
            .where('verdict', '<>', sql.lit('unreachable' as const))
            .where('reason', '<>', sql.lit('forbidden-address' as const)),
        )
        .limit(sql.lit(1)),
    );
  const [any, answered] = [since(false), since(true)];
  return () => {
    const offline = noted();
    if (offline === null) return null;
    const after = { id: offline.lastVisitId };
    if (answered.get(after) !== undefined) return null;
    return offline.lastVisitId === lastVisitId() || any.get(after) !== undefined ? offline.at : null;
  };
}
