import type { Sqlite } from '../sqlite/sqlite.ts';

/** AUTOINCREMENT keeps the largest id that was ever given, whatever was deleted since. */
export const LAST_VISIT_ID = `select ifnull(max(seq), 0) from sqlite_sequence where name = 'visits'`;

/** Answers the largest id that a visit was ever given; 0 when there was none. */
export function createLastVisitIdReader(sqlite: Sqlite): () => number {
  const read = sqlite.prepare<[], number>(LAST_VISIT_ID).pluck();
  return () => read.get() ?? 0;
}
