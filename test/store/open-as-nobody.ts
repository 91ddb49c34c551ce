/** Child process: opens each database as a user without permissions and prints the results as JSON. Arguments: the databases. */
import SqliteDatabase from 'better-sqlite3';
import { openStore } from '../../src/store/open-store.ts';
import { StoreError } from '../../src/store/sqlite/store-error.ts';

// Loads the native module before the permissions are dropped, because it may be readable by root only.
new SqliteDatabase(':memory:').close();
// Root ignores file permissions.
if (process.getuid?.() === 0) process.setuid?.(65_534);
const results = [];
for (const path of process.argv.slice(2)) {
  try {
    await (await openStore({ path }))[Symbol.asyncDispose]();
    results.push('opened');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    results.push({ code: error.code, kind: error.kind, message: error.message });
  }
}
process.stdout.write(JSON.stringify(results));
