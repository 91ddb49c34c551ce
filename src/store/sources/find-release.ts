import { sql } from 'kysely';
import { newestVersion } from '../../model/facts/version-order.ts';
import { listed } from '../read/listed.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { NewestRelease } from '../store-reader.ts';
import { createReleaseReader } from './noted-release.ts';

/** Finds the newest release: the one noted, else the newest version that listed instances run. */
export function createReleaseFinder(sqlite: Sqlite, db: Compiler): () => NewestRelease | null {
  const noted = createReleaseReader(sqlite, db);
  const running = prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
    db
      .selectFrom('domains')
      .select([sql<string>`version`.as('version'), 'registrable_domain as registrableDomain'])
      .distinct()
      .where('version', 'is not', null)
      .where(listed),
  );
  return () => {
    const release = noted();
    if (release !== null) return { version: release, from: 'release' };
    const version = newestVersion(running.all({}));
    return version === null ? null : { version, from: 'crawl' };
  };
}
