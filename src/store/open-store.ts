import { resolve } from 'node:path';
import { Database } from './sqlite/database.ts';
import { migrate, requireMigrated } from './sqlite/migrate.ts';
import { connect, connectReadOnlyWhenFree, withOpeningErrors } from './sqlite/sqlite.ts';
import { Store } from './store.ts';

export interface StoreOptions {
  path: string;
  /** The database must exist and be up to date; methods that write throw. */
  readOnly?: boolean;
  /** How long a statement may block the thread while another connection holds a lock. A transaction is tried twice. */
  busyTimeoutMs?: number;
}

/**
 * Opens the database at `path`. Unless `readOnly`, creates it with its folder and migrates it.
 *
 * @throws StoreError when the path is unusable, the database belongs to another program, or a newer Loopscout wrote it.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { readOnly = false, busyTimeoutMs = 1_000 } = options;
  const path = resolve(options.path);
  const sqlite = readOnly ? await connectReadOnlyWhenFree(path, busyTimeoutMs) : await connect(path, busyTimeoutMs);
  return withOpeningErrors(path, async () => {
    try {
      if (readOnly) requireMigrated(sqlite, path);
      else await migrate(sqlite, path);
      return new Store(new Database(sqlite, path), busyTimeoutMs);
    } catch (error) {
      sqlite.close();
      throw error;
    }
  });
}
