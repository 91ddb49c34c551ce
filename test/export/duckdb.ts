import { type DuckDBConnection, DuckDBInstance, type Json } from '@duckdb/node-api';

let opened: Promise<DuckDBConnection> | undefined;

/** The rows of a query over files, read by DuckDB; times are text in UTC. */
export async function queryDuckDb(sql: string): Promise<Record<string, Json>[]> {
  opened ??= DuckDBInstance.create(':memory:', { threads: '1' }).then((instance) => instance.connect());
  return (await (await opened).runAndReadAll(sql)).getRowObjectsJson();
}
