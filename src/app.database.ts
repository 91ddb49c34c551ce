import type { Settings } from './settings.schema.ts';
import { connectReadOnlyWhenFree } from './store/sqlite.ts';

const BUSY_TIMEOUT_MS = 50;

/**
 * To be called by what makes no sense on a database that a mistyped path would create.
 *
 * @throws {StoreError} when `database` names none.
 */
export async function requireDatabase({ database }: Pick<Settings, 'database'>): Promise<void> {
  const sqlite = await connectReadOnlyWhenFree(database, BUSY_TIMEOUT_MS);
  sqlite.close();
}
