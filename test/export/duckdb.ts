import { DuckDBInstance, type Json } from '@duckdb/node-api';

/** The rows of a query over files, read by DuckDB; times are text in UTC. */
export async function queryDuckDb(sql: string): Promise<Record<string, Json>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
