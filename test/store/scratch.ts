import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { onTestFinished } from 'vitest';

/** A path for a database in a folder of its own, which goes when the test ends. */
export function scratchPath(name = 'store.sqlite'): string {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** Does to the file what the store itself never would. */
export function meddle<Result>(path: string, work: (sqlite: SqliteDatabase.Database) => Result): Result {
  const sqlite = new SqliteDatabase(path);
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}
