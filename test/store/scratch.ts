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

/** Makes every insert into a table fail, as a full disk would, until the returned function is called. */
export function refuseInserts(path: string, table: string): () => void {
  const refusal = `begin select raise(abort, 'the disk is full'); end`;
  withSqlite(path, (sqlite) => sqlite.exec(`create trigger refused before insert on ${table} ${refusal}`));
  return () => withSqlite(path, (sqlite) => sqlite.exec('drop trigger refused'));
}
