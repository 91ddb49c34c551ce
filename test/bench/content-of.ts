import { createHash } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';

/** Content of a database by table: the number of rows and a hash of them. Only the first `runs` source runs count. */
export function contentOf(path: string, runs: number): Record<string, string> {
  const sqlite = new SqliteDatabase(path, { readonly: true });
  try {
    const tables = sqlite
      .prepare<[], string>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
      )
      .pluck()
      .all();
    return Object.fromEntries(
      tables.map((table) => {
        const hash = createHash('sha256');
        let rows = 0;
        const columns = sqlite.prepare(`select * from ${table}`).columns().length;
        const limit = table === 'source_runs' ? ` where id <= ${runs}` : '';
        for (const row of sqlite
          .prepare<[], unknown[]>(`select * from ${table}${limit} order by ${columns === 1 ? '1' : '1, 2'}`)
          .raw()
          .iterate()) {
          hash.update(JSON.stringify(row));
          rows += 1;
        }
        return [table, `${rows} rows, ${hash.digest('base64').slice(0, 12)}`];
      }),
    );
  } finally {
    sqlite.close();
  }
}
