import { Kysely, SqliteDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as initial from '../migrations/0001-initial.ts';
import { applicationId, requireOwnDatabase, type Sqlite, whenFree } from './sqlite.ts';
import { StoreError } from './store-error.ts';

/** Every migration in order. A released migration is never edited. */
export const migrations: Readonly<Record<string, Migration>> = { '0001-initial': initial };

/**
 * Applies the missing migrations and the application id in one transaction, so that a crash leaves the database unchanged. Throws StoreError
 * for a database of a newer Loopscout.
 */
export async function migrate(sqlite: Sqlite, path: string): Promise<void> {
  if (pendingMigrations(sqlite, path) === 0) return;
  await whenFree(sqlite, () => sqlite.exec('begin immediate'));
  try {
    // Another process may have migrated it while this one waited.
    requireOwnDatabase(sqlite, path);
    if (pendingMigrations(sqlite, path) > 0) {
      sqlite.pragma(`application_id = ${applicationId}`);
      const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
      const provider = { getMigrations: async () => ({ ...migrations }) };
      const { error } = await new Migrator({ db, provider, disableTransactions: true }).migrateToLatest();
      if (error !== undefined) throw error;
    }
    sqlite.exec('commit');
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('rollback');
    throw error;
  }
}

/** Throws StoreError for a database of a newer or an older Loopscout; for connections that do not migrate. */
export function requireMigrated(sqlite: Sqlite, path: string): void {
  if (pendingMigrations(sqlite, path) === 0) return;
  const problem = 'was written by an older Loopscout; run a crawl with this one to upgrade it';
  throw new StoreError('older-database', path, problem);
}

function pendingMigrations(sqlite: Sqlite, path: string): number {
  const done = executedMigrations(sqlite);
  const unknown = done.filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    const problem = `was written by a newer Loopscout (migration ${unknown.join(', ')}); upgrade, or use another database`;
    throw new StoreError('newer-database', path, problem);
  }
  return Object.keys(migrations).length - done.length;
}

function executedMigrations(sqlite: Sqlite): string[] {
  const table = sqlite.prepare(`select 1 from sqlite_schema where type = 'table' and name = 'kysely_migration'`).get();
  if (table === undefined) return [];
  return sqlite.prepare<[], string>('select name from kysely_migration order by name').pluck().all();
}
