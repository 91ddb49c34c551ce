/** Child process: opens each argument as a user without permissions and prints each error. */
import SqliteDatabase from 'better-sqlite3';
import { openStore } from '../../src/store/open-store.ts';
import { StoreError } from '../../src/store/sqlite/store-error.ts';

// Loaded before the permissions are dropped: the native module may be readable by root only.
new SqliteDatabase(':memory:').close();
// Root may write anywhere.
if (process.getuid?.() === 0) process.setuid?.(65_534);
const answers = [];
for (const path of process.argv.slice(2)) {
  try {
    await (await openStore({ path }))[Symbol.asyncDispose]();
    answers.push('opened');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    answers.push({ code: error.code, kind: error.kind, message: error.message });
  }
}
process.stdout.write(JSON.stringify(answers));
