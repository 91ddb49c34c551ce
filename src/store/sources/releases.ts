import { sql } from 'kysely';
import { z } from 'zod';
import { newestVersion } from '../../model/facts/version-order.ts';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import { listed } from '../read/listed.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { NewestRelease } from '../store-reader.ts';

const KEY = 'newest-release';

/** The newest release published by the project, and when that was checked. */
const StoredRelease = z.object({ version: z.string(), at: z.number() });

export function createReleaseRecorder(sqlite: Sqlite, db: Compiler): (version: string, at: number) => void {
  const write = createMetadataWriter<z.infer<typeof StoredRelease>>(sqlite, db, KEY);
  const latest = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('releases').select('version').orderBy('at', 'desc').limit(sql.lit(1)),
  );
  const insert = prepare(sqlite, (parameter: QueryParameter<{ version: string; at: number }>) =>
    db
      .insertInto('releases')
      .values({ version: parameter('version'), at: parameter('at') })
      .orReplace(),
  );
  const record = sqlite.transaction((version: string, at: number) => {
    write({ version, at });
    if (latest.get({})?.version !== version) insert.run({ version, at });
  });
  return (version, at) => record.immediate(version, at);
}

/** Reads the version recorded last; null when there is none. */
export function createReleaseReader(sqlite: Sqlite, db: Compiler): () => string | null {
  const read = createMetadataReader(sqlite, db, KEY, StoredRelease);
  return () => read()?.version ?? null;
}

/** Finds the newest release: the recorded one, else the newest version that listed instances run. */
export function createReleaseFinder(sqlite: Sqlite, db: Compiler): () => NewestRelease | null {
  const readRecorded = createReleaseReader(sqlite, db);
  const versionsInUse = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db
      .selectFrom('domains')
      .select([sql<string>`version`.as('version'), 'registrable_domain as registrableDomain'])
      .distinct()
      .where('version', 'is not', null)
      .where(listed),
  );
  return () => {
    const release = readRecorded();
    if (release !== null) return { version: release, from: 'release' };
    const version = newestVersion(versionsInUse.all({}));
    return version === null ? null : { version, from: 'crawl' };
  };
}
