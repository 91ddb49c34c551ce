import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { onTestFinished } from 'vitest';

/** A path for a database in a new folder, which is deleted after the test. */
export function scratchPath(name = 'store.sqlite'): string {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** Reads or changes a database directly, without the store. */
export function withSqlite<Result>(path: string, work: (sqlite: SqliteDatabase.Database) => Result): Result {
  const sqlite = new SqliteDatabase(path);
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}
