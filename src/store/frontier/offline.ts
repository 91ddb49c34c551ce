import { sql } from 'kysely';
import { z } from 'zod';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { createLastVisitIdReader } from './last-visit-id.ts';

const KEY = 'offline';

/** The last time that Loopscout itself was offline, and the last visit recorded before that. */
const Offline = z.object({ at: z.number(), lastVisitId: z.number() });

export function createOfflineRecorder(sqlite: Sqlite, db: Compiler): (at: number) => void {
  const lastVisitId = createLastVisitIdReader(sqlite);
  const write = createMetadataWriter<z.infer<typeof Offline>>(sqlite, db, KEY);
  return (at) => write({ at, lastVisitId: lastVisitId() });
}

type After = { id: number };

/**
 * Reads the last time that Loopscout was offline; null when it never was, or when a host has answered a visit since. A visit to an
 * unreachable host or a forbidden address (as behind a captive portal) does not count. If all later visits were purged, one of them is
 * assumed to have been answered.
 */
export function createOfflineReader(sqlite: Sqlite, db: Compiler): () => number | null {
  const lastVisitId = createLastVisitIdReader(sqlite);
  const read = createMetadataReader(sqlite, db, KEY, Offline);
  const firstVisitAfter = (isAnswered: boolean) =>
    prepare(sqlite, (parameter: QueryParameter<After>) =>
      db
        .selectFrom('visits')
        .select('id')
        .where('id', '>', parameter('id'))
        .$if(isAnswered, (query) =>
          query
            .where('verdict', '<>', sql.lit('unreachable' as const))
            .where('reason', '<>', sql.lit('forbidden-address' as const)),
        )
        .limit(sql.lit(1)),
    );
  const [any, answered] = [firstVisitAfter(false), firstVisitAfter(true)];
  return () => {
    const offline = read();
    if (offline === null) return null;
    const after = { id: offline.lastVisitId };
    if (answered.get(after) !== undefined) return null;
    return offline.lastVisitId === lastVisitId() || any.get(after) !== undefined ? offline.at : null;
  };
}
