import type Database from 'better-sqlite3';

/** A table whose rows are limited in number. */
export interface Room {
  /** Rows there are. */
  count(): number;
  /** Removes the rows that are first to go, so that one more fits. */
  make(): void;
}

/**
 * Keeps `table` within `limit` rows. The first to go are the first in the order of `order`, columns of an index, so that a row costs the
 * same however many there are. Makes room before a row is added: what was just given is never what goes.
 */
export function createRoom(db: Database.Database, table: string, limit: number, order: string): Room {
  const readCount = db.prepare<[string], number>('SELECT count FROM counts WHERE name = ?').pluck();
  const remove = db.prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} ORDER BY ${order} LIMIT ?)`);
  const count = () => readCount.get(table) ?? 0;
  return {
    count,
    make: () => {
      const excess = count() + 1 - Math.max(1, limit);
      if (excess > 0) remove.run(excess);
    },
  };
}
