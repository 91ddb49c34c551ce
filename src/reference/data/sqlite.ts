/**
 * The part of better-sqlite3 that the tables use. Its types are a separate package, so a published declaration that named them
 * would not compile for users of this package.
 */
export interface Sqlite {
  /** Whether the database is in memory. */
  readonly memory: boolean;
  prepare<Parameters extends unknown[] = unknown[], Row = unknown>(sql: string): SqliteStatement<Parameters, Row>;
  /** Wraps a function so that it runs atomically. */
  transaction<Parameters extends unknown[], Result>(
    work: (...parameters: Parameters) => Result,
  ): SqliteTransaction<Parameters, Result>;
}

export interface SqliteStatement<Parameters extends unknown[], Row> {
  run(...parameters: Parameters): { changes: number; lastInsertRowid: number | bigint };
  get(...parameters: Parameters): Row | undefined;
  all(...parameters: Parameters): Row[];
  /** Makes the statement return only the first column of each row. */
  pluck(): this;
}

export interface SqliteTransaction<Parameters extends unknown[], Result> {
  (...parameters: Parameters): Result;
  /** Takes the write lock at the start, so that a read followed by a write cannot fail with SQLITE_BUSY. */
  immediate(...parameters: Parameters): Result;
}

/**
 * @param nextEvicted a query for the id of the row to evict; its parameters are the arguments of `makeRoom`. It must read an
 * index, so that its cost does not grow with the table.
 */
export function createRowLimit(db: Sqlite, table: string, limit: number, nextEvicted: string) {
  const readCount = db.prepare<[string], number>('SELECT count FROM counts WHERE name = ?').pluck();
  const remove = db.prepare<number[]>(`DELETE FROM ${table} WHERE id = (${nextEvicted})`);
  const count = () => readCount.get(table) ?? 0;
  return {
    /** The current number of rows. */
    count,
    /** Evicts rows until one more fits. Called before the insert, so that a new row is never evicted. */
    makeRoom: (...queryParameters: number[]) => {
      for (let excess = count() + 1 - Math.max(1, limit); excess > 0; excess -= 1) remove.run(...queryParameters);
    },
  };
}
