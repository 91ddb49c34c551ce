import type { Sqlite } from './sqlite.ts';

/** A table whose rows are limited in number. */
export interface Room {
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
