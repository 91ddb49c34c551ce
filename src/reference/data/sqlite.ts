/**
 * What the tables use of a SQLite database. The types of better-sqlite3 do not come with it, so that a published declaration
 * that named it would not compile for those who install this package.
 */
export interface Sqlite {
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): SqliteStatement<Parameters, Row>;
  /** The function, run whole or not at all. */
  transaction<Parameters extends unknown[], Result>(
    work: (...parameters: Parameters) => Result,
  ): SqliteTransaction<Parameters, Result>;
}

export interface SqliteStatement<Parameters extends unknown[], Row> {
  run(...parameters: Parameters): { changes: number; lastInsertRowid: number | bigint };
  get(...parameters: Parameters): Row | undefined;
  all(...parameters: Parameters): Row[];
  /** Gives the first column of each row alone. */
  pluck(): this;
}

export interface SqliteTransaction<Parameters extends unknown[], Result> {
  (...parameters: Parameters): Result;
  /** Takes the lock for writing at once, so that a transaction that reads first cannot fail with SQLITE_BUSY when it writes. */
  immediate(...parameters: Parameters): Result;
}
