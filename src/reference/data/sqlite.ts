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

/** A table whose rows are limited in number. */
interface Room {
  /** Rows there are. */
  count(): number;
  /** Removes the rows that are first to go, so that one more fits. */
  make(...values: number[]): void;
}

/**
 * Keeps `table` within `limit` rows. `firstToGo` is a query for the id of the row that goes first, with the values of `make` for its
 * parameters; it reads an index, so that a row costs the same however many there are. Makes room before a row is added: what was just
 * given is never what goes.
 */
export function createRoom(db: Sqlite, table: string, limit: number, firstToGo: string): Room {
  const readCount = db.prepare<[string], number>('SELECT count FROM counts WHERE name = ?').pluck();
  const remove = db.prepare<number[]>(`DELETE FROM ${table} WHERE id = (${firstToGo})`);
  const count = () => readCount.get(table) ?? 0;
  return {
    count,
    make: (...values) => {
      for (let excess = count() + 1 - Math.max(1, limit); excess > 0; excess -= 1) remove.run(...values);
    },
  };
}
