import type { Sqlite } from '../sqlite/sqlite.ts';

/** For a table with AUTOINCREMENT, `sqlite_sequence` holds the largest id ever given, also to rows deleted since. */
const LAST_VISIT_ID = `select ifnull(max(seq), 0) from sqlite_sequence where name = 'visits'`;

/** Reads the largest id ever given to a visit; 0 when there was none. */
export function createLastVisitIdReader(sqlite: Sqlite): () => number {
  const read = sqlite.prepare<[], number>(LAST_VISIT_ID).pluck();
  return () => read.get() ?? 0;
}
